using System.Runtime.InteropServices;

namespace Dump.Cli.Output;

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
