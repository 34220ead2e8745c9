using System.Text;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Wording;
using Dump.Readers.Minidump;

namespace Dump.Readers.ElfCore;

/// <summary>Reads the notes of a core.</summary>
internal sealed class ElfNotes(FileBytes file, LinuxMachine machine, ReadLimits limits, List<ReaderProblem> problems)
{
    private const int MaximumNotes = 1_000_000;
    private const long NanosecondsOfNote = 2_000;
    private const long BytesOfThread = 2_000;

    // Ten thousand years.
    private static readonly TimeSpan s_mostTime = TimeSpan.FromDays(3_650_000);
    private readonly List<ElfThread> _threads = [];
    private readonly HashSet<uint> _ids = [];
    private int _twins;
    private ElfCoreWriter _writer;

    // Of the thread whose notes follow.
    private bool _isLeftOut;
    private readonly List<long> _threadIdPlaces = [];
    private readonly List<ElfMappedFile> _files = [];
    private readonly Dictionary<uint, CountedThread> _counted = [];
    private ElfSignal? _signal;
    private ElfSignal? _statusSignal;

    public IReadOnlyList<ElfThread> Threads => _counted.Count == 0 ? _threads
        : [.. _threads.Select(t => _counted.GetValueOrDefault(t.Id) is { } counted ? t with { Counted = counted } : t)];

    /// <summary>True where the file ends before its notes do.</summary>
    public bool AreCut { get; set; }

    /// <summary>Where in the file the id of each thread stands.</summary>
    public IReadOnlyList<long> ThreadIdPlaces => _threadIdPlaces;

    public IReadOnlyList<ElfMappedFile> MappedFiles => _files;

    /// <summary>The signal that the core was written for, or null when none is recorded.</summary>
    /// <remarks>Old versions of createdump write the number of an abort into each core.</remarks>
    public ElfSignal? Signal =>
        _signal ?? (Writer == ElfCoreWriter.CreateDumpOrUnknown && _statusSignal is { Number: LinuxSignals.Abort } ? null : _statusSignal);

    public uint? ProcessId { get; private set; }

    public string? ProcessName { get; private set; }

    /// <summary>Whether the process runs its parent's program since it was forked; null for a core whose writer left the flags out.</summary>
    public bool? IsForkedCopy { get; private set; }

    /// <summary>Whether the kernel's flags of a process say so; null where they are unknown: a process has others, so that 0 says nothing.</summary>
    public static bool? IsForkedCopyBy(ulong? flags) => flags is { } known and not 0 ? (known & ElfCoreLayout.ForkedCopy) != 0 : null;

    public string? Arguments { get; private set; }

    public DateTime? Captured { get; private set; }

    public long? ProcessStart { get; private set; }

    /// <summary>Address of the program's path on the initial stack, or null.</summary>
    public ulong? ProgramPathAddress { get; private set; }

    /// <summary>Address of the program's own program headers in memory, or null.</summary>
    public ulong? ProgramHeadersAddress { get; private set; }

    /// <summary>Address of the library that the kernel maps into each process, or null.</summary>
    public ulong? SystemLibraryAddress { get; private set; }

    /// <summary>Who wrote the core: this program's own have the kernel's notes too.</summary>
    public ElfCoreWriter Writer => _writer == ElfCoreWriter.Kernel && Captured is not null ? ElfCoreWriter.CreateDumpOrUnknown : _writer;

    /// <summary>Reads the notes of one segment.</summary>
    public void Read(long offset, long size)
    {
        long at = offset, end = offset + size;
        for (int i = 0; i < MaximumNotes && at + ElfCoreLayout.NoteHeaderSize <= end && WorkBudget.Take(NanosecondsOfNote); i++)
        {
            uint nameSize = file.ReadUInt32(at) ?? 0;
            uint contentSize = file.ReadUInt32(at + 4) ?? 0;
            uint type = file.ReadUInt32(at + 8) ?? 0;
            long content = at + ElfCoreLayout.NoteHeaderSize + Align(nameSize);
            if (content > end || contentSize > end - content)
            {
                problems.Add(new ReaderProblem("notes", "a note is longer than its segment; the rest is left out", (ulong)at));
                return;
            }

            if (Owner(at + ElfCoreLayout.NoteHeaderSize, nameSize) && machine == LinuxMachine.Arm64)
            {
                NoteOfArm64(type, content, contentSize);
            }

            Note(type, content, contentSize);
            if (type == ElfCoreLayout.NoteCapture && contentSize >= ElfCoreLayout.CaptureSize && nameSize == ElfCoreLayout.CaptureOwner.Length + 1)
            {
                Capture(content);
            }
            else if (type == ElfCoreLayout.NoteThreads && nameSize == ElfCoreLayout.CaptureOwner.Length + 1)
            {
                Counted(content, contentSize);
            }

            at = content + Align(contentSize);
        }
    }

    private static long Align(uint size) => (size + 3L) & ~3L;

    /// <summary>Learns who wrote the core; true for a note that the kernel's sources give the name LINUX.</summary>
    private bool Owner(long at, uint size)
    {
        const int LongestKnown = 6;
        Span<byte> name = stackalloc byte[LongestKnown];
        if (size is 0 or > LongestKnown || file.Read(at, name[..(int)size]) != (int)size)
        {
            return false;
        }

        bool isLinux = name[..(int)size].SequenceEqual("LINUX\0"u8);
        _writer = name[..(int)size].SequenceEqual("GDB\0"u8) ? ElfCoreWriter.Debugger
            : _writer == ElfCoreWriter.CreateDumpOrUnknown && isLinux ? ElfCoreWriter.Kernel
            : _writer;
        return isLinux;
    }

    /// <summary>What the notes on a thread of ARM64 have that its registers lack: they follow its state.</summary>
    private void NoteOfArm64(uint type, long at, uint size)
    {
        if (_threads.Count == 0 || _isLeftOut)
        {
            return;
        }

        _threads[^1] = type switch
        {
            ElfCoreLayout.NoteArm64ThreadPointer when size >= sizeof(ulong) => _threads[^1] with { NotedThreadPointer = file.ReadUInt64(at) },
            ElfCoreLayout.NoteArm64SystemCall when size >= sizeof(int) && file.ReadUInt32(at) is { } number and <= int.MaxValue =>
                _threads[^1] with { Call = new EnteredCall(number, false) },
            ElfCoreLayout.NoteArm64AuthenticationMask when size >= ElfCoreLayout.AuthenticationMaskSize =>
                _threads[^1] with { AuthenticationMask = file.ReadUInt64(at + ElfCoreLayout.AuthenticationMaskOfCode) },
            _ => _threads[^1],
        };
    }

    private void Note(uint type, long at, uint size)
    {
        switch (type)
        {
            case ElfCoreLayout.NoteThreadStatus:
                _isLeftOut = true;
                if (size >= machine.StatusSize)
                {
                    Thread(at);
                }

                break;
            case ElfCoreLayout.NoteSignal when size >= ElfCoreLayout.SignalSize && _signal is null
                && _threads is [.., var signalled]:
                _signal = new ElfSignal(
                    signalled.Id,
                    (int)(file.ReadUInt32(at + ElfCoreLayout.SignalNumber) ?? 0),
                    (int)(file.ReadUInt32(at + ElfCoreLayout.SignalCode) ?? 0),
                    file.ReadUInt64(at + ElfCoreLayout.SignalValue) ?? 0);
                break;
            case ElfCoreLayout.NoteProcessInformation when size >= ElfCoreLayout.ProcessInformationSize && ProcessId is null:
                ProcessId = file.ReadUInt32(at + ElfCoreLayout.ProcessId);
                ProcessName = Text(at + ElfCoreLayout.ProcessFileName, ElfCoreLayout.ProcessFileNameLength);
                IsForkedCopy = IsForkedCopyBy(file.ReadUInt64(at + ElfCoreLayout.ProcessFlags));
                Arguments = Text(at + ElfCoreLayout.ProcessArguments, ElfCoreLayout.ProcessArgumentsLength);
                break;
            case ElfCoreLayout.NoteAuxiliaryVector when ProgramPathAddress is null:
                ProgramPathAddress = AuxiliaryValue(at, size, ElfCoreLayout.AuxiliaryProgramPath);
                ProgramHeadersAddress = AuxiliaryValue(at, size, ElfCoreLayout.AuxiliaryProgramHeaders);
                SystemLibraryAddress = AuxiliaryValue(at, size, ElfCoreLayout.AuxiliarySystemLibrary);
                break;
            case ElfCoreLayout.NoteMappedFiles when _files.Count == 0:
                Files(at, size);
                break;
        }
    }

    private void Thread(long at)
    {
        if (_threads.Count >= limits.MaxThreads || !WorkBudget.Hold(BytesOfThread))
        {
            return;
        }

        ulong[] registers = new ulong[machine.RegisterCount];
        for (int i = 0; i < registers.Length; i++)
        {
            registers[i] = file.ReadUInt64(at + ElfCoreLayout.StatusRegisters + i * sizeof(ulong)) ?? 0;
        }

        uint id = file.ReadUInt32(at + ElfCoreLayout.StatusThreadId) ?? 0;
        _isLeftOut = !_ids.Add(id);
        if (_isLeftOut)
        {
            if (_twins++ == 0)
            {
                problems.Add(new ReaderProblem("notes", $"they list thread {id} twice; the first counts", (ulong)at));
            }

            return;
        }

        if (_threads.Count == 0 && (ushort)(file.ReadUInt32(at + ElfCoreLayout.StatusSignal) ?? 0) is var signal and not 0)
        {
            _statusSignal = new ElfSignal(id, signal, null, 0);
        }

        _threadIdPlaces.Add(at + ElfCoreLayout.StatusThreadId);
        _threads.Add(new ElfThread(
            id,
            _threads.Count,
            Time(at + ElfCoreLayout.StatusUserTime),
            Time(at + ElfCoreLayout.StatusSystemTime),
            registers) { Machine = machine });
    }

    private void Counted(long at, uint size)
    {
        for (long end = at + size; at + ElfCoreLayout.CountedThreadSize <= end && _counted.Count < limits.MaxThreads
            && WorkBudget.Hold(BytesOfThread); at += ElfCoreLayout.CountedThreadSize)
        {
            (long before, long stopped) = (Number(at + ElfCoreLayout.CountedSwitchesBeforeStop), Number(at + ElfCoreLayout.CountedSwitchesAtStop));
            _counted.TryAdd((uint)Number(at + ElfCoreLayout.CountedThreadId), new CountedThread(
                Hundreds(at + ElfCoreLayout.CountedUserTime), Hundreds(at + ElfCoreLayout.CountedSystemTime),
                before >= 0 && stopped >= before ? new SwitchCount(before, stopped) : null));
        }

        long Number(long place) => (long)(file.ReadUInt64(place) ?? ulong.MaxValue);

        TimeSpan Hundreds(long place) => TimeSpan.FromTicks(Math.Clamp(Number(place), 0, s_mostTime.Ticks));
    }

    private ulong? AuxiliaryValue(long at, uint size, ulong key)
    {
        const uint MostBytes = 4096;
        for (long pair = at; pair + ElfCoreLayout.AuxiliaryPairSize <= at + Math.Min(size, MostBytes); pair += ElfCoreLayout.AuxiliaryPairSize)
        {
            if (file.ReadUInt64(pair) == key)
            {
                return file.ReadUInt64(pair + sizeof(ulong));
            }
        }

        return null;
    }

    private void Capture(long at)
    {
        ulong milliseconds = file.ReadUInt64(at + ElfCoreLayout.CaptureMoment) ?? ulong.MaxValue;
        Captured = milliseconds <= (ulong)(DateTime.MaxValue - DateTime.UnixEpoch).TotalMilliseconds ? DateTime.UnixEpoch.AddMilliseconds(milliseconds) : null;
        ProcessStart = file.ReadUInt64(at + ElfCoreLayout.CaptureProcessStart) is { } start and <= long.MaxValue ? (long)start : null;
    }

    /// <summary>A struct timeval; values beyond ten thousand years count as zero.</summary>
    private TimeSpan Time(long at)
    {
        ulong seconds = file.ReadUInt64(at) ?? 0;
        ulong microseconds = file.ReadUInt64(at + sizeof(ulong)) ?? 0;
        return seconds > (ulong)s_mostTime.TotalSeconds || microseconds >= 1_000_000 ? TimeSpan.Zero : new TimeSpan((long)(seconds * 10_000_000 + microseconds * 10));
    }

    private void Files(long at, uint size)
    {
        ulong claimed = file.ReadUInt64(at) ?? 0;
        ulong pageSize = file.ReadUInt64(at + sizeof(ulong)) ?? 0;
        long room = (size - ElfCoreLayout.MappedFileHeaderSize) / ElfCoreLayout.MappedFileEntrySize;
        if (size < ElfCoreLayout.MappedFileHeaderSize || claimed > (ulong)Math.Max(0, room))
        {
            problems.Add(new ReaderProblem("NT_FILE", $"claims {claimed} entries, room for {room}", (ulong)at));
            return;
        }

        byte[] names = new byte[size - ElfCoreLayout.MappedFileHeaderSize - (long)claimed * ElfCoreLayout.MappedFileEntrySize];
        file.Read(at + ElfCoreLayout.MappedFileHeaderSize + (long)claimed * ElfCoreLayout.MappedFileEntrySize, names);
        ReadOnlySpan<byte> rest = names;
        for (long i = 0; i < (long)claimed; i++)
        {
            int end = rest.IndexOf((byte)0);
            if (end < 0)
            {
                problems.Add(new ReaderProblem("NT_FILE", $"has names for {i} of {claimed} entries", (ulong)at));
                return;
            }

            long entry = at + ElfCoreLayout.MappedFileHeaderSize + i * ElfCoreLayout.MappedFileEntrySize;
            _files.Add(new ElfMappedFile(
                file.ReadUInt64(entry) ?? 0, file.ReadUInt64(entry + 8) ?? 0, unchecked((file.ReadUInt64(entry + 16) ?? 0) * pageSize),
                SafeText.Clean(Encoding.UTF8.GetString(rest[..Math.Min(end, limits.MaxStringLength)]), limits.MaxStringLength)));
            rest = rest[(end + 1)..];
        }
    }

    private string? Text(long at, int length)
    {
        byte[] bytes = new byte[length];
        int read = file.Read(at, bytes);
        int end = Array.IndexOf(bytes, (byte)0, 0, read);
        string text = SafeText.Clean(Encoding.UTF8.GetString(bytes, 0, end < 0 ? read : end));
        return text.Length == 0 ? null : text;
    }
}

/// <summary>Who wrote a core, by the owners of its notes (seen in cores of .NET's createdump 3.1 to 10, gdb 13 and Linux 6.1).</summary>
public enum ElfCoreWriter
{
    /// <summary>No note of the kernel's or gdb's own: .NET's createdump, or something else.</summary>
    CreateDumpOrUnknown,

    /// <summary>gdb's <c>gcore</c>: a note with the owner GDB.</summary>
    Debugger,

    /// <summary>The kernel: notes with the owner LINUX, none with GDB.</summary>
    Kernel,
}

/// <summary>
/// The signal that a core was written for, from NT_SIGINFO (<c>siginfo_t</c>, sigaction(2)); where that note is missing, from the state of the first thread.
/// </summary>
/// <param name="ThreadId">The thread that got it: the one whose status note it follows.</param>
/// <param name="Number">The signal's number.</param>
/// <param name="Code">How it came (<c>si_code</c>): positive from the kernel, else from a process. Null where the note is missing.</param>
/// <param name="Value">For a signal of the kernel for a memory access the address (<c>si_addr</c>), for one from a process its id in the low half (<c>si_pid</c>).</param>
public sealed record ElfSignal(uint ThreadId, int Number, int? Code, ulong Value);

/// <summary>What this program counted of a thread whose core it wrote.</summary>
/// <param name="UserTime">Its own time in user mode.</param>
/// <param name="SystemTime">Its own time in kernel mode.</param>
/// <param name="Switches">How often it had given up the processor; null where that was not counted.</param>
public sealed record CountedThread(TimeSpan UserTime, TimeSpan SystemTime, SwitchCount? Switches);

/// <summary>A thread, from NT_PRSTATUS.</summary>
/// <param name="Id">Kernel thread id.</param>
/// <param name="Index">Position among the core's threads, 0-based.</param>
/// <param name="UserTime">Time in user mode as written. createdump and gcore write zero, which means unknown;
/// a kernel writes the whole process' time into its first thread.</param>
/// <param name="SystemTime">Time in kernel mode, as written.</param>
/// <param name="Registers">The words of NT_PRSTATUS that are registers, as <see cref="LinuxMachine"/> orders them; empty where they are not known.</param>
public sealed record ElfThread(uint Id, int Index, TimeSpan UserTime, TimeSpan SystemTime, IReadOnlyList<ulong> Registers)
{
    /// <summary>The machine whose registers these are.</summary>
    public LinuxMachine Machine { get; init; } = LinuxMachine.X64;

    /// <summary>What was counted besides; null in cores of other writers.</summary>
    public CountedThread? Counted { get; init; }

    /// <summary>Address of the thread's own data as a note has it; null where there is none, and where it is a register.</summary>
    public ulong? NotedThreadPointer { get; init; }

    /// <summary>The bits that a pointer authentication code takes of an address of code; null where no note tells.</summary>
    public ulong? AuthenticationMask { get; init; }

    /// <summary>The system call that a thread of a machine is in whose registers do not tell; null while that is unknown.</summary>
    public EnteredCall? Call { get; init; }

    /// <summary>Address of the next instruction, or null when the registers are not known.</summary>
    public ulong? InstructionPointer => Register(Machine.InstructionPointer);

    /// <summary>The stack pointer, or null.</summary>
    public ulong? StackPointer => Register(Machine.StackPointer);

    /// <summary>Address of the thread's own data (ELF Handling For Thread-Local Storage): the base of FS on x64, TPIDR_EL0 on ARM64; or null.</summary>
    public ulong? ThreadPointer => Machine.ThreadPointer is { } place ? Register(place) : NotedThreadPointer;

    /// <summary>First argument of a system call, or null.</summary>
    public ulong? Argument0 => Call is { IsFirstArgumentLost: true } ? null : Argument(0);

    /// <summary>Second argument of a system call, or null.</summary>
    public ulong? Argument1 => Argument(1);

    /// <summary>Third argument of a system call, or null.</summary>
    public ulong? Argument2 => Argument(2);

    /// <summary>Fourth argument of a system call, or null.</summary>
    public ulong? Argument3 => Argument(3);

    /// <summary>Fifth argument of a system call, or null.</summary>
    public ulong? Argument4 => Argument(4);

    /// <summary>The number of the system call that the thread is in, -1 when it executes user code, null when that is not known.</summary>
    public long? SystemCall => Machine.TellsCall ? (long?)Register(Machine.Call) : Call?.Number;

    private ulong? Argument(int number) => Register(Machine.Arguments[number].Place);

    private ulong? Register(int index) => Registers.Count == Machine.RegisterCount ? Registers[index] : null;
}

/// <summary>The system call that a thread is in.</summary>
/// <param name="Number">Its number; -1 for a thread that executes user code.</param>
/// <param name="IsFirstArgumentLost">True where the call has come to its end, and its result has taken the place of its first argument.</param>
public readonly record struct EnteredCall(long Number, bool IsFirstArgumentLost)
{
    /// <summary>The thread executes user code.</summary>
    public static EnteredCall None => new(-1, false);
}
