using System.Diagnostics;
using System.Runtime.InteropServices;
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

/// <summary>
/// Shows what is being done on one line of the error terminal, once it takes longer than half a second. Shows nothing when that is no terminal.
/// </summary>
internal sealed class TerminalProgress : IProgress<string>, IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(500);
    private readonly Stopwatch _clock = Stopwatch.StartNew();
    private readonly Lazy<LivingLine?> _line = new(LivingLine.OfErrors);

    /// <inheritdoc/>
    public void Report(string value)
    {
        if (_clock.Elapsed > s_patience)
        {
            _line.Value?.Show(value);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_line.IsValueCreated)
        {
            _line.Value?.Dispose();
        }
    }
}

/// <summary>Where lines end.</summary>
internal static unsafe partial class TerminalWidth
{
    /// <summary>Columns of help and manual where there is no terminal.</summary>
    public const int Page = 120;

    private const int Least = 40;
    private const int StandardOutput = 1;

    // TIOCGWINSZ and struct winsize of ioctl_tty(2): rows, columns, two sizes in pixels.
    private const nuint GetWindowSize = 0x5413;
    private const int WindowSizeFields = 4;
    private const int ColumnsField = 1;

    /// <summary>Columns of the terminal that standard output is; null when it is none, or does not say.</summary>
    public static int? Columns => !Console.IsOutputRedirected && Ask() is var width and >= Least ? width : null;

    /// <summary>On Linux not by the console of the runtime, which would first write to the terminal to prepare it for reading keys.</summary>
    private static int Ask()
    {
        if (!OperatingSystem.IsLinux())
        {
            return Console.WindowWidth;
        }

        ushort* size = stackalloc ushort[WindowSizeFields];
        return Control(StandardOutput, GetWindowSize, size) == 0 ? size[ColumnsField] : 0;
    }

    [LibraryImport("libc", EntryPoint = "ioctl")]
    private static partial int Control(int file, nuint request, void* argument);
}
