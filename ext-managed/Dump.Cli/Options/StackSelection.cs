namespace Dump.Cli.Options;

/// <summary>Which stacks a report shows.</summary>
internal enum StackSelection
{
    /// <summary>Those that prove a verdict.</summary>
    Evidence,

    /// <summary>Those of all threads too.</summary>
    All,
}
