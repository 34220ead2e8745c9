namespace Dump.Cli.Output;

/// <summary>Where lines end.</summary>
internal static class TerminalWidth
{
    /// <summary>Columns of help and manual where there is no terminal.</summary>
    public const int Page = 120;

    private const int Least = 40;

    /// <summary>Columns of the terminal that standard output is; null when it is none, or does not say.</summary>
    public static int? Columns => !Console.IsOutputRedirected && Console.WindowWidth is var width and >= Least ? width : null;
}
