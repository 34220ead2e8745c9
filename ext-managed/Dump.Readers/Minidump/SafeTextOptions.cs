namespace Dump.Readers.Minidump;

/// <summary>What becomes of line breaks in text of a dump.</summary>
internal enum SafeTextOptions
{
    /// <summary>They become spaces.</summary>
    SingleLine,

    /// <summary>They are kept as line feeds.</summary>
    Lines,
}
