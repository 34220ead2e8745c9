using System.Globalization;

namespace Dump.Model.Facts;

/// <summary>What supplies data that are missing. <see cref="CaptureKinds"/> has the words for each kind of target.</summary>
public enum CaptureKind
{
    /// <summary>Words that whoever misses the data gives: they name files, packages or another version's ways.</summary>
    AsGiven,

    /// <summary>Nothing is known to help.</summary>
    Nothing,

    /// <summary>A dump with all memory.</summary>
    FullDump,

    /// <summary>The same, or the images of its modules.</summary>
    FullDumpOrImages,

    /// <summary>The same with the PDB file of the module that is the subject.</summary>
    FullDumpAndPdb,

    /// <summary>The same on a real Windows.</summary>
    FullDumpOfWindows,

    /// <summary>Another dump, where this one has all memory that could be read.</summary>
    AnotherDump,

    /// <summary>The same, or the images of its modules.</summary>
    AnotherDumpOrImages,

    /// <summary>A second dump or look.</summary>
    SecondDump,

    /// <summary>The same, of a process that stands still meanwhile.</summary>
    SecondStoppedDump,

    /// <summary>The same; what the heap shows of collections is there already.</summary>
    SecondDumpOrHeap,

    /// <summary>Two dumps or looks some seconds apart.</summary>
    TwoDumps,

    /// <summary>The pending async methods some time later.</summary>
    LaterTasks,

    /// <summary>A dump with CPU times.</summary>
    Times,

    /// <summary>The dump written anew.</summary>
    WrittenAgain,

    /// <summary>A 32-bit dump.</summary>
    ThirtyTwoBitDump,

    /// <summary>A dump of a build for another processor.</summary>
    OtherBuild,

    /// <summary>A dump of a newer Windows.</summary>
    NewerWindows,

    /// <summary>A core that lists mapped files.</summary>
    CoreWithFiles,

    /// <summary>A core with the memory of mapped files.</summary>
    CoreWithFileMemory,

    /// <summary>The same; of a program without .NET the stacks of a debugger.</summary>
    CoreWithProgramMemory,

    /// <summary>A core written beside this program.</summary>
    WrittenCore,

    /// <summary>The machine with the process' programs and libraries.</summary>
    SameMachine,

    /// <summary>The native stacks of a debugger.</summary>
    NativeStacks,

    /// <summary>Rights to trace the process.</summary>
    Rights,

    /// <summary>A look that may stop the process.</summary>
    StoppedLook,

    /// <summary>A dump while the window hangs.</summary>
    DumpOfHungWindow,

    /// <summary>A look while the window hangs.</summary>
    LookAtHungWindow,

    /// <summary>A dump of the other process too.</summary>
    OtherProcess,

    /// <summary>The child, continued or looked at.</summary>
    LookAtChild,

    /// <summary>The process at the other end of the pipe.</summary>
    LookAtReader,

    /// <summary>No dump: the threads inside of what SRW locks guard.</summary>
    ThreadsInLockedCode,

    /// <summary>No dump: the threads inside of initialisers.</summary>
    ThreadsInInitialiser,

    /// <summary>No dump: the threads inside of what mutexes guard.</summary>
    ThreadsInMutexCode,

    /// <summary>No dump that is read: the threads inside of what a .NET mutex guards.</summary>
    ThreadsInManagedMutexCode,

    /// <summary>No dump: who runs an initialiser of the image.</summary>
    ThreadsInImageInitialiser,

    /// <summary>No dump: what the callers of waits wait for.</summary>
    CallersOfWaits,

    /// <summary>No dump: calls that repeat.</summary>
    RepeatedCalls,

    /// <summary>Locks that store their owners.</summary>
    OwnerTracking,

    /// <summary>No dump: what moves between two looks.</summary>
    MovingThreads,

    /// <summary>The tool that shows the stacks of a runtime other than .NET (<see cref="OtherRuntime"/>).</summary>
    StacksOfOtherRuntime,

    /// <summary>The same core once more, whole: it is not known what program it is of.</summary>
    CoreWrittenAgain,

    /// <summary>All collections of the heap.</summary>
    HeapScan,

    /// <summary>The native half alone, or a dump that has the runtime's modules.</summary>
    ThreadsOrFullDump,
}

/// <summary>How missing data are captured, in words: commands with the tools of the target's system, and with its id where it lives.</summary>
public static class CaptureKinds
{
    /// <summary>What stands for the id of a process, and for the dump, in advice.</summary>
    private const string Process = "PID", File = "FILE";

    private const string ImagesToo = "; or give the images with --images DIR";
    private const string StacksInDebugger = "gdb -batch -ex 'thread apply all bt'";

    /// <summary>The words.</summary>
    /// <param name="kind">What supplies the data.</param>
    /// <param name="target">What the advice is given on.</param>
    /// <param name="subject">What the data are missing of, such as a module, or null.</param>
    public static string Words(CaptureKind kind, CaptureTarget target, string? subject)
    {
        string process = target.LivingProcess?.ToString(CultureInfo.InvariantCulture) ?? Process;
        string threads = target.LivingProcess is null ? "dumpanalyze threads FILE" : $"dumpanalyze live {process} --stacks all";
        return kind switch
        {
            CaptureKind.AsGiven or CaptureKind.Nothing => "",
            CaptureKind.FullDump => Full(target, process),
            CaptureKind.FullDumpOrImages => Full(target, process) + ImagesToo,
            CaptureKind.FullDumpAndPdb => $"procdump -ma {process}, and --symbols PATH with the PDB of {subject}",
            CaptureKind.FullDumpOfWindows => Full(target, process) + ", on Windows: Wine does not record mutex owners",
            CaptureKind.AnotherDump => Another(target, process),
            CaptureKind.AnotherDumpOrImages => Another(target, process) + ImagesToo,
            CaptureKind.SecondDump => Second(target, process),
            CaptureKind.SecondStoppedDump => target.LivingProcess is not null ? Second(target, process)
                : $"a second dump, best of a process that does not run while it is written: {Dump(target, process)}",
            CaptureKind.SecondDumpOrHeap => Second(target, process) + (target.LivingProcess is null
                ? "; broken collections are found in this one too: dumpanalyze dictloop FILE --heap" : ""),
            CaptureKind.TwoDumps => target.IsRepeated ? $"more looks tell no more; {threads} shows all stacks, one of which may have to end these waits" : Two(target, process),
            CaptureKind.LaterTasks => (target.LivingProcess is not null ? $"dumpanalyze tasks live {process} some seconds later"
                : $"dumpanalyze tasks SECOND of a second dump ({Dump(target, process)})") + ", which shows as many that wait or more where none goes on",
            CaptureKind.Times => target.IsLinux ? "a core written by the kernel, or two dumps some seconds apart"
                : $"procdump -ma {process} (MiniDumpWithThreadInfo), or {Two(target, process)}",
            CaptureKind.WrittenAgain => target.IsLinux ? $"write the core again, to a disk with room: {Dump(target, process)}"
                : $"write the dump again, to a disk with room: procdump -ma {process}",
            CaptureKind.ThirtyTwoBitDump => $"a full dump, or a 32-bit one: procdump -ma {process} without -64",
            CaptureKind.OtherBuild => "a dump of the 64-bit x64 build of the program, where there is one",
            CaptureKind.NewerWindows => "a dump on Windows 10 or later, where the system call's arguments are kept in registers",
            CaptureKind.CoreWithFiles =>
                $"let the kernel (Linux 3.7 or later, core(5)), gcore {process} or createdump --full {process} write the core; of this one: gdb PROGRAM CORE",
            CaptureKind.CoreWithFileMemory => $"{Filter(process)}, or {Full(target, process)}",
            CaptureKind.CoreWithProgramMemory => $"createdump --full {process}, or {Filter(process)}; of a program without .NET no dump helps: {StacksInDebugger}",
            CaptureKind.WrittenCore => $"a core, and analyze that: createdump --withheap {process}",
            CaptureKind.SameMachine => target.LivingProcess is not null ? LiveStacks(process) : $"analyze the core on the machine that wrote it, where its programs and libraries are; or {StacksInDebugger}",
            CaptureKind.NativeStacks => LiveStacks(process),
            CaptureKind.Rights => "run dumpanalyze as root, or in its container with the capability SYS_PTRACE",
            CaptureKind.StoppedLook => "the same command without --no-stop, where the process may be stopped for a moment",
            CaptureKind.DumpOfHungWindow => $"a dump while the window hangs: procdump -ma -h {process}",
            CaptureKind.LookAtHungWindow =>
                $"a look while the window hangs: dumpanalyze live {process}, or dumpanalyze watch {process} --out DIR --hung-window 10s",
            CaptureKind.OtherProcess => "procdump -ma of that process as well, while both hang",
            CaptureKind.LookAtChild => "continue or look at the child: kill -CONT CHILD; dumpanalyze live CHILD",
            CaptureKind.LookAtReader => "look at the reader: dumpanalyze live READER",
            CaptureKind.ThreadsInLockedCode => Inside(threads, "the code which these locks guard"),
            CaptureKind.ThreadsInInitialiser => Inside(threads, "the initialiser"),
            CaptureKind.ThreadsInMutexCode => Inside(threads, "the code which these mutexes guard"),
            CaptureKind.ThreadsInManagedMutexCode => target.LivingProcess is null
                ? $"no dump has it in a form that is read; look in the stacks of {Full(target, process)}, for the thread that is inside the code which the mutex guards"
                : Inside(threads, "the code which the mutex guards"),
            CaptureKind.ThreadsInImageInitialiser => $"no other dump of this hang has it; {threads} shows who runs an initialiser of that image",
            CaptureKind.CallersOfWaits => $"no dump is sure to have it; look with {threads} at what the callers of these waits wait for",
            CaptureKind.RepeatedCalls => $"no dump helps; look at the stack for the calls that repeat: {threads}",
            CaptureKind.OwnerTracking => "no dump has it; make the lock with new SpinLock(enableThreadOwnerTracking: true), or look with "
                + $"{threads} for a thread that is inside the code which it guards",
            CaptureKind.MovingThreads => (target.LivingProcess is null ? "no dump has it; " : "")
                + $"\"What it waits for\" names each wait and the code to look at, {threads} shows the stacks"
                + (target.IsRepeated ? "" : $"; two looks some seconds apart show what moves: {TwoLooks(process)}")
                + (target.LivingProcess is null ? $"; of a server without open connections dumpanalyze live {process} tells that it waits for new work alone" : ""),
            CaptureKind.StacksOfOtherRuntime => OtherRuntime.Named(subject) is not { } runtime ? "the tools of that runtime"
                : target.LivingProcess is null ? runtime.OfCore : string.Format(CultureInfo.InvariantCulture, runtime.OfProcess, process),
            CaptureKind.CoreWrittenAgain => $"let gcore {process} (createdump --full {process} of a .NET process) come to its end, on a disk with room for all memory of the process",
            CaptureKind.HeapScan => target.LivingProcess is null ? "dumpanalyze dictloop FILE --heap"
                : $"dumpanalyze live {process} --keep a.core; dumpanalyze dictloop a.core --heap",
            CaptureKind.ThreadsOrFullDump => $"for the native half: {threads}; if the process does run .NET, "
                + (target.LivingProcess is null ? "this dump lacks its modules: capture a full one " : "its modules were not seen: capture a full dump ")
                + $"({(target.IsLinux ? $"createdump --full {process}" : $"procdump -ma {process}")})",
            _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "a kind of capture without words"),
        };
    }

    /// <summary>Advice on dumps at large, for people who have this one, and may still have its process.</summary>
    /// <param name="advice">The advice.</param>
    /// <param name="process">Id of the process; null where it is unknown.</param>
    /// <param name="file">The dump as a word of a command line, or how commands name the living process; null for neither.</param>
    public static string For(string advice, uint? process, string? file)
    {
        string known = process is { } id ? advice.Replace(Process, id.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal) : advice;
        return file is null ? known : known.Replace(File, file, StringComparison.Ordinal);
    }

    /// <summary>Two looks at a living process, and what compares them.</summary>
    /// <param name="process">Its id, or what stands for it.</param>
    public static string TwoLooks(string process) =>
        $"dumpanalyze live {process} --keep a.core; sleep 10; dumpanalyze live {process} --keep b.core; dumpanalyze a.core b.core";

    private static string LiveStacks(string process) => $"gdb -p {process} -batch -ex 'thread apply all bt'";

    private static string Full(CaptureTarget target, string process) => !target.IsLinux
        ? $"procdump -ma {process} (or any writer with MiniDumpWithFullMemory, MiniDumpWithHandleData and MiniDumpWithThreadInfo)"
        : target.RunsDotNet ? $"dotnet-dump collect -p {process} --type Full, or createdump --full {process}"
        : $"echo 0x3f > /proc/{process}/coredump_filter, then gcore {process}";

    private static string Dump(CaptureTarget target, string process) => !target.IsLinux ? $"procdump -ma {process}"
        : target.RunsDotNet ? $"dotnet-dump collect -p {process}" : $"gcore {process}";

    private static string Second(CaptureTarget target, string process) =>
        target.LivingProcess is not null ? $"a second look: dumpanalyze live {process}" : $"a second dump some seconds later: {Dump(target, process)}";

    private static string Another(CaptureTarget target, string process) => target.LivingProcess is not null
        ? $"a second look: dumpanalyze live {process}"
        : "another dump: this one was written with all memory, and these pages were not readable then";

    private static string Two(CaptureTarget target, string process) => target switch
    {
        { IsLinux: false } => $"two dumps some seconds apart: procdump -ma -n 2 -s 10 {process}",
        { LivingProcess: not null } => $"two looks some seconds apart: {TwoLooks(process)}",
        { RunsDotNet: true } => $"two dumps some seconds apart: dotnet-dump collect -p {process}, twice",
        _ => $"two cores some seconds apart: gcore -o a {process}; sleep 10; gcore -o b {process}; dumpanalyze a.{process} b.{process}",
    };

    private static string Filter(string process) => $"echo 0x3f > /proc/{process}/coredump_filter before the core is written";

    private static string Inside(string threads, string where) => $"no dump has it; look with {threads} for a thread that is inside {where}";
}

/// <summary>What advice is given on: it names the tools of its system, and a living process by its id.</summary>
/// <param name="IsLinux">True for Linux, false for Windows.</param>
/// <param name="RunsDotNet">False for a process that is known to have no .NET runtime.</param>
/// <param name="LivingProcess">Id of a living process; null for a dump.</param>
/// <param name="IsRepeated">True for the last of several looks.</param>
public sealed record CaptureTarget(bool IsLinux, bool RunsDotNet, uint? LivingProcess, bool IsRepeated = false)
{
    /// <summary>A dump of which nothing is known but the system that this program runs on.</summary>
    public static CaptureTarget OfThisSystem { get; } = new(OperatingSystem.IsLinux(), RunsDotNet: true, LivingProcess: null);
}
