using Dump.Cli.Usage;
using Dump.Readers.Minidump;

namespace Dump.Cli.Running;

/// <summary>A process that stands still in a debugger, which describes it by a small dump and reads its memory. No file of it exists.</summary>
/// <param name="moment">The moment at which it stands still.</param>
/// <param name="process">Asks the debugger.</param>
internal sealed class DescribedProcess(DescribedMoment moment, AskedProcess process)
{
    private static DescribedProcess? s_current;

    /// <summary>The one that the question which is being answered is about; null for a question about a dump.</summary>
    public static DescribedProcess? Current
    {
        get => s_current;
        set
        {
            s_current = value;
            DumpName.OfProcess = value?.Moment.Name;
        }
    }

    /// <summary>The moment at which it stands still.</summary>
    public DescribedMoment Moment { get; } = moment;

    /// <summary>The process that a name on the command line stands for; null when it is that of a dump.</summary>
    public static DescribedProcess? Of(string path) => Current is { } described && described.Moment.Name == path ? described : null;

    /// <summary>Opens it as the dump with all memory that it would be.</summary>
    /// <exception cref="Readers.InvalidDumpException">The debugger does not describe it, or what it says is no description.</exception>
    public MinidumpFile Open() => MinidumpFile.OpenProcess(Moment.Name, Moment.Description ??= process.ReadDescription(), process, Moment.Pages);

    /// <summary>Throws when something that was read rests on what could not be asked for.</summary>
    /// <exception cref="Readers.InvalidDumpException">That is so.</exception>
    public void ThrowIfFailed() => process.ThrowIfFailed();
}
