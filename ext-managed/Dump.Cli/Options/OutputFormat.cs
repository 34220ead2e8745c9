namespace Dump.Cli.Options;

/// <summary>How results are written.</summary>
internal enum OutputFormat
{
    /// <summary>For people.</summary>
    Text,

    /// <summary>For programs, see docs/json-schema.md.</summary>
    Json,

    /// <summary>Text with debugger markup, for WinDbg.</summary>
    Dml,
}
