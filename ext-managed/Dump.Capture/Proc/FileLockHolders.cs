using System.Globalization;
using System.Runtime.Versioning;
using Dump.Model.Text;
using Dump.Readers.Linux.Waits;

namespace Dump.Capture.Proc;

/// <summary>
/// Who holds the locks of files that a process' threads wait for. A lock of an open file has no process that the system would name: whether the process itself
/// has that file open, its own descriptors tell.
/// </summary>
/// <param name="process">The process.</param>
[SupportedOSPlatform("linux")]
internal sealed class FileLockHolders(int process)
{
    private const int LongestName = 200;
    private const int MostHolders = 8;
    private const int MostDescriptors = 65_536;
    private readonly FileLockLine[] _locks = FileLockLine.Parse(ProcFile.Text("/proc/locks") ?? "");
    private readonly string? _mounts = ProcFile.Text($"/proc/{process}/mountinfo");

    /// <summary>Who holds what some threads want of one descriptor, as a clause.</summary>
    /// <param name="wanted">What they want; never empty.</param>
    public string Of(IReadOnlyList<WantedFileLock> wanted)
    {
        uint descriptor = wanted[0].Descriptor;
        string? file = FileLocks.FileOf(ProcFile.Text($"/proc/{process}/fdinfo/{descriptor}"), _mounts);
        FileLockLine[] holding = [.. wanted.SelectMany(w => FileLocks.Before(_locks, w, file, (uint)process)).Distinct()];
        string[] named =
        [
            .. holding.Where(l => l.Process is not null).Select(l => (l.Kind, l.Process)).Distinct().OrderBy(l => l.Process).Take(MostHolders)
                .Select(l => Named(l.Process!.Value, l.Kind)),
            .. holding.Any(l => l.Process is null) ? [OpenFile(wanted, file)] : Array.Empty<string>(),
        ];
        bool isSure = wanted.All(w => w.Kind == FileLockKind.Whole || w.Bytes is not null);
        return named.Length == 0 ? "who holds it is unknown"
            : isSure ? $"held by {string.Join(" and ", named)}"
            : $"which bytes are wanted is unknown; locks of this file are held by {string.Join(" and ", named)}";
    }

    private string Named(uint holder, FileLockKind kind)
    {
        if (holder == process)
        {
            return "this process itself";
        }

        string text = $"process {holder}";
        if (ProcFile.Text($"/proc/{holder}/comm") is not { } name)
        {
            return kind == FileLockKind.Whole ? $"whoever has the file still open that {text} locked, which has ended" : text;
        }

        string waits = FileLocks.Waits(_locks, holder, (uint)process) ? ", which waits for a lock that this process holds" : "";
        return $"{text} {SafeText.Quote(SafeText.Clean(name.TrimEnd('\n'), LongestName))}{waits}";
    }

    private string OpenFile(IReadOnlyList<WantedFileLock> wanted, string? file)
    {
        string[] own =
        [
            .. ProcFile.Descriptors(process, MostDescriptors).Where(d => d != wanted[0].Descriptor && HoldsOpenFileLock(d, wanted, file))
                .Take(MostHolders).Select(d => d.ToString(CultureInfo.InvariantCulture)),
        ];
        return own.Length > 0 ? $"this process itself, by file descriptor {string.Join(" and ", own)} (a lock of the open file)"
            : "an open file of another process, which /proc/locks does not name (a lock of an open file; /proc/*/fdinfo/* has it as OFDLCK where that file is "
                + "open)";
    }

    private bool HoldsOpenFileLock(int descriptor, IReadOnlyList<WantedFileLock> wanted, string? file) =>
        ProcFile.Text($"/proc/{process}/fdinfo/{descriptor}") is { } text && FileLockLine.Parse(text) is { Length: > 0 } locks
            && wanted.Any(w => FileLocks.Before(locks.Where(l => l.Kind == FileLockKind.OpenFile), w, file, (uint)process).Length > 0);
}
