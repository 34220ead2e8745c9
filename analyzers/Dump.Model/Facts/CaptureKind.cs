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
