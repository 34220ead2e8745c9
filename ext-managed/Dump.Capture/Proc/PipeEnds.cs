using System.Globalization;
using System.Runtime.Versioning;
using Dump.Readers.ElfCore;

namespace Dump.Capture.Proc;

/// <summary>
/// The ends of pipes that a process has open, as <c>/proc</c> tells: a thread that reads from a pipe waits for those who may write, and one of them is often the
/// process itself, which has forgotten to close its copy (pipe(7)).
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class PipeEnds
{
    private const int MostDescriptors = 65_536;
    private const int MostOfOthers = 4_096;
    private const int MostNamed = 8;

    // System calls of x64 (arch/x86/entry/syscalls/syscall_64.tbl).
    private const long Write = 1;
    private const long WriteVector = 20;

    // O_ACCMODE and its values: linux/fcntl.h.
    private const long AccessMask = 3;
    private const long ReadOnly = 0;
    private const long WriteOnly = 1;
    private readonly ILookup<string, (int Descriptor, long? Mode)> _ends;
    private readonly bool _areAll;

    /// <summary>Reads them.</summary>
    /// <param name="process">The process.</param>
    /// <param name="most">How many descriptors to look at.</param>
    public PipeEnds(int process, int most = MostDescriptors)
    {
        Process = process;
        int[] descriptors = ProcFile.Descriptors(process, most);
        _areAll = descriptors.Length > 0 && descriptors.Length < most;
        _ends = Ends(process, descriptors).ToLookup(e => e.Pipe, e => (e.Descriptor, e.Mode));
    }

    /// <summary>The process.</summary>
    public int Process { get; }

    /// <summary>True for the name of a pipe.</summary>
    /// <param name="file">What a file descriptor leads to.</param>
    public static bool IsPipe(string file) => file.StartsWith("pipe:[", StringComparison.Ordinal);

    /// <summary>The pipe that a thread is in a call to write to, with the descriptor; null where it is in none.</summary>
    /// <param name="process">Its process.</param>
    /// <param name="task">Its directory in <c>/proc</c>.</param>
    public static (string Pipe, ulong Descriptor)? WrittenBy(int process, string task) =>
        TaskSystemCall.Parse(ProcFile.Text($"{task}/syscall")) is { Number: Write or WriteVector, Arguments: [var descriptor, ..] }
            && ProcFile.Link(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/fd/{descriptor}")) is { } file && IsPipe(file) ? (file, descriptor) : null;

    /// <summary>Processes that can read from a pipe; only those that this user may look at.</summary>
    /// <param name="file">The pipe, as descriptors lead to it.</param>
    public static IEnumerable<int> Readers(string file) => Holders(file, WriteOnly);

    /// <summary>Processes that have a pipe open in another way than this end is; none where that is not known.</summary>
    /// <param name="file">The pipe, as descriptors lead to it.</param>
    /// <param name="process">Whose end this is.</param>
    /// <param name="descriptor">This end.</param>
    public static IEnumerable<int> Opposite(string file, int process, ulong descriptor) => ModeOf(process, descriptor) is { } own ? Holders(file, own) : [];

    /// <summary>What the other ends of a pipe are, as a clause; empty where this end, or whether there are others, is not known.</summary>
    /// <param name="file">The pipe, as descriptors lead to it.</param>
    /// <param name="descriptor">This end.</param>
    public string OthersOf(string file, ulong descriptor)
    {
        // One that is open for both is both ends itself; which of the two a thread waits for is not looked at.
        long? own = _ends[file].Where(e => (ulong)e.Descriptor == descriptor).Select(e => e.Mode).FirstOrDefault();
        if (own is not (ReadOnly or WriteOnly))
        {
            return "";
        }

        bool isWriter = own == WriteOnly;
        int[] others = [.. _ends[file].Where(e => e.Mode is { } mode && mode != own).Select(e => e.Descriptor).Order()];
        string named = string.Join(", ", others.Take(MostNamed).Select(o => o.ToString(CultureInfo.InvariantCulture)));
        string more = others.Length > MostNamed ? $" and {others.Length - MostNamed} more" : "";
        return others.Length > 0
            ? $"; {(isWriter ? "read" : "written")} by this process itself as well: file descriptor{(others.Length == 1 ? "" : "s")} {named}{more}"
            : !_areAll || _ends[file].Any(e => e.Mode is null) ? ""
            : $"; no {(isWriter ? "reader" : "writer")} of it is in this process";
    }

    /// <summary>
    /// True where all ends of a pipe that are the other than this one are the process' own, and no other process that can be seen has any: only its own threads can
    /// end a wait at this one.
    /// </summary>
    /// <param name="file">The pipe, as descriptors lead to it.</param>
    /// <param name="descriptor">This end.</param>
    public bool HasAllOthers(string file, ulong descriptor) =>
        _areAll && _ends[file].All(e => e.Mode is ReadOnly or WriteOnly)
        && _ends[file].Where(e => (ulong)e.Descriptor == descriptor).Select(e => e.Mode).FirstOrDefault() is { } own
        && _ends[file].Any(e => e.Mode != own) && Holders(file, own).All(id => id == Process);

    /// <summary>True when the process itself has a pipe open for reading and for writing.</summary>
    /// <param name="file">The pipe, as descriptors lead to it.</param>
    public bool HasBothEnds(string file) => _ends[file].Any(e => e.Mode is not (null or WriteOnly)) && _ends[file].Any(e => e.Mode is not (null or ReadOnly));

    /// <summary>True when the process has an end of the pipe from which it can read.</summary>
    /// <param name="file">The pipe, as descriptors lead to it.</param>
    public bool Reads(string file) => _ends[file].Any(e => e.Mode == ReadOnly);

    /// <summary>True when a pipe leads from one process to the other: one can only write to it, the other can only read from it.</summary>
    public static bool Connect(PipeEnds one, PipeEnds other) => one._ends.Any(p => other._ends.Contains(p.Key)
        && ((one.IsOnly(p.Key, WriteOnly) && other.IsOnly(p.Key, ReadOnly)) || (one.IsOnly(p.Key, ReadOnly) && other.IsOnly(p.Key, WriteOnly))));

    private static IEnumerable<int> Holders(string file, long unlike) => ProcFile.ProcessIds().Where(id => ProcFile.Descriptors(id, MostOfOthers)
        .Any(d => ProcFile.Link($"/proc/{id}/fd/{d}") == file && ModeOf(id, (ulong)d) is { } mode && mode != unlike));

    private bool IsOnly(string file, long mode) => _ends[file].All(e => e.Mode == mode);

    private static IEnumerable<(string Pipe, int Descriptor, long? Mode)> Ends(int process, int[] descriptors)
    {
        foreach (int descriptor in descriptors)
        {
            if (ProcFile.Link($"/proc/{process}/fd/{descriptor}") is { } file && IsPipe(file))
            {
                yield return (file, descriptor, ModeOf(process, (ulong)descriptor));
            }
        }
    }

    /// <summary>The access mode in the line <c>flags:</c>, whose number is octal (proc_pid_fdinfo(5)).</summary>
    private static long? ModeOf(int process, ulong descriptor)
    {
        const string Flags = "flags:";
        string? text = ProcFile.Text(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/fdinfo/{descriptor}"));
        string? line = text?.Split('\n').FirstOrDefault(l => l.StartsWith(Flags, StringComparison.Ordinal))?[Flags.Length..].Trim();
        return line is { Length: > 0 and < 20 } && line.All(c => c is >= '0' and <= '7') ? Convert.ToInt64(line, 8) & AccessMask : null;
    }
}

/// <summary>What <c>/proc/PID/task/TID/syscall</c> tells without stopping the thread (proc_pid_syscall(5)).</summary>
/// <param name="Number">The system call, or -1 when the thread is in none.</param>
/// <param name="Arguments">Its six arguments; empty when it is in none.</param>
/// <param name="StackPointer">RSP, or null when the thread runs.</param>
/// <param name="InstructionPointer">RIP, or null when the thread runs.</param>
internal sealed record TaskSystemCall(long Number, ulong[] Arguments, ulong? StackPointer, ulong? InstructionPointer)
{
    private const int ArgumentCount = 6;

    // EINTR: the result of a call that a signal has ended, and that does not begin anew.
    private const ulong Interrupted = unchecked((ulong)-4);

    /// <summary>Reads the file's text: <c>running</c>, <c>-1 SP PC</c>, or number, six arguments, SP and PC. Null for any other text.</summary>
    public static TaskSystemCall? Parse(string? text)
    {
        string[] words = text?.Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) ?? [];
        if (words is ["running"])
        {
            return new TaskSystemCall(-1, [], null, null);
        }

        if (words.Length < 3 || !long.TryParse(words[0], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number))
        {
            return null;
        }

        ulong?[] values = [.. words.Skip(1).Select(Address)];
        return values.Any(v => v is null) || values.Length != (number < 0 ? 2 : ArgumentCount + 2)
            ? null
            : new TaskSystemCall(number, [.. values.Take(values.Length - 2).Select(v => v!.Value)], values[^2], values[^1]);
    }

    /// <summary>
    /// The call where the stop has ended it, so that its result has taken the place of its first argument: the thread stands where it stood before, with the same
    /// other arguments. Puts that argument back. Null where the thread has gone on, or its registers tell themselves.
    /// </summary>
    /// <param name="machine">The machine, whose registers do not tell in which call a thread is.</param>
    /// <param name="registers">The registers of the stopped thread.</param>
    public EnteredCall? EndedIn(LinuxMachine machine, ulong[] registers)
    {
        if (Number < 0 || StackPointer != registers[machine.StackPointer] || InstructionPointer != registers[machine.InstructionPointer]
            || (ulong)Number != registers[machine.Call] || registers[machine.Arguments[0].Place] != Interrupted
            || Enumerable.Range(1, machine.Arguments.Length - 1).Any(i => registers[machine.Arguments[i].Place] != Arguments[i]))
        {
            return null;
        }

        registers[machine.Arguments[0].Place] = Arguments[0];
        return new EnteredCall(Number, false);
    }

    private static ulong? Address(string text) =>
        text.StartsWith("0x", StringComparison.Ordinal)
            && ulong.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong value) ? value : null;
}
