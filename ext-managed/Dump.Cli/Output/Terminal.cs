using Dump.Model.Contract;
using Spectre.Console;

namespace Dump.Cli.Output;

/// <summary>What the terminals at standard output and standard error understand.</summary>
internal static class Terminal
{
    /// <summary>What is written to a terminal that understands escape sequences: the sixteen colours, which its user has chosen.</summary>
    public static AnsiCapabilities Capabilities { get; } = new() { Ansi = true, ColorSystem = ColorSystem.Standard };

    /// <summary>
    /// True when standard output is a terminal that understands escape sequences and may have colours. On Windows it is told to. The variable <c>NO_COLOR</c> is
    /// about colours alone (no-color.org): the line of progress, which is erased and has none, stays.
    /// </summary>
    public static bool OutputTakesSequences => !Console.IsOutputRedirected && TakesSequences(() => Console.Out)
        && string.IsNullOrEmpty(Environment.GetEnvironmentVariable(EnvironmentVariables.NoColor));

    /// <summary>The same of standard error.</summary>
    public static bool ErrorsTakeSequences => !Console.IsErrorRedirected && TakesSequences(() => Console.Error);

    /// <summary>
    /// Elsewhere than on Windows the variables tell. There is no table of terminals: all but the dumb ones understand the sixteen colours, and
    /// new ones come. The runtime's writer would first prepare the terminal for reading keys.
    /// </summary>
    private static bool TakesSequences(Func<TextWriter> writer) => OperatingSystem.IsWindows()
        ? AnsiCapabilities.Create(writer()).Ansi
        : Environment.GetEnvironmentVariable(EnvironmentVariables.TerminalKind) is { Length: > 0 } terminal && terminal != "dumb";
}
