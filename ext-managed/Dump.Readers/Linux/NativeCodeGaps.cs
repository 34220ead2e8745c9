using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Readers.Linux;

/// <summary>What stays unknown of a Linux process that runs no .NET.</summary>
public static class NativeCodeGaps
{
    private static readonly MissingData s_unwalked = new(
        "the whole stacks of native Linux code (there is no .NET runtime in this process, and the unwind information of its programs and libraries is not all "
            + "readable here)",
        "what its threads wait for is unknown, but for mutexes, reader-writer locks, joins, streams and the dynamic loader",
        "analyse the core on the machine that wrote it, where its programs and libraries are; or gdb -batch -ex 'thread apply all bt'");

    private static readonly MissingData s_ownerless = new(
        "who ends the waits of native Linux code that no lock explains (condition variables, semaphores, pipes, files)",
        "whether such a wait is a hang is unknown; mutexes, reader-writer locks, joins, streams and the dynamic loader were looked at",
        "no dump has it; \"What it waits for\" names each wait and the code to look at, dumpanalyze threads FILE shows the stacks; "
            + "two looks some seconds apart show what moves: dumpanalyze live PID --keep A.core, again with B.core, then dumpanalyze A.core B.core; "
            + "of a server without open connections dumpanalyze live PID tells that it waits for new work alone")
    {
        IsOfNativeWaits = true,
    };

    /// <summary>True for a core that does not say which files were mapped: but for what the kernel maps, it has no modules.</summary>
    /// <param name="native">The process.</param>
    public static bool ListsNoFiles(ProcessSnapshot native) => !native.Modules.Any(m => m.Name != SystemLibrary.Name);

    /// <summary>What is missing.</summary>
    /// <param name="native">The process.</param>
    public static MissingData Of(ProcessSnapshot native) => native.Available.Stacks ? s_ownerless : s_unwalked;
}
