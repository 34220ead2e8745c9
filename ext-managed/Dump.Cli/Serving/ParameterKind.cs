namespace Dump.Cli.Serving;

/// <summary>What a parameter of a tool takes.</summary>
internal enum ParameterKind
{
    /// <summary>Text.</summary>
    Text,

    /// <summary>A list of texts.</summary>
    Texts,

    /// <summary>A whole number from 0 on.</summary>
    Number,

    /// <summary>Yes or no.</summary>
    Flag,
}
