using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Minidump;
using Dump.Readers.Symbols;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Locks;
using Dump.Readers.Windows.Process;
using Dump.Readers.Windows.Runtimes;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows;

/// <summary>
/// One side of a process: its threads, environment block and locks as code of one architecture has them. A 32-bit process in a 64-bit dump has two.
/// </summary>
/// <param name="Process">What waits are classified by.</param>
/// <param name="Block">The process environment block, or null when not readable.</param>
/// <param name="LoaderLock">The loader lock, or null when not readable.</param>
/// <param name="SystemLocks">Names of the side's system locks.</param>
internal sealed record ProcessSide(
    WindowsProcess Process, ProcessEnvironmentBlock? Block, CriticalSection? LoaderLock, ImmutableDictionary<Resource, string> SystemLocks)
{
    /// <summary>Its threads.</summary>
    public IReadOnlyList<WindowsThread> Threads => Process.Threads;

    /// <summary>What <see cref="Classify"/> found missing.</summary>
    public List<MissingData> Missing { get; } = [];

    /// <summary>What each of its threads does and waits for, in their order.</summary>
    /// <param name="descriptions">Receives what resources are in words.</param>
    public List<WaitFindings> Classify(Dictionary<Resource, ResourceDescription> descriptions)
    {
        Process.WaitedAddresses = AddressWaitTable.Read(Process,
            Block?.Address + (ulong?)new PebLayout(Process.Abi).WaitOnAddressHashTable);
        List<WaitFindings> findings = PosixMutexes.Recognise(Process, ComCalls.Add(Process, [.. Threads.Select(t => WaitClassifier.Classify(Process, t))]));
        findings = ReaderWriterResources.Complete(Process, findings, descriptions);
        findings = PoolCallbacks.Complete(Process, OneTimeInitializations.Complete(Process, findings));
        findings = StaticInitialisations.Complete(Process, StandardMutexes.Complete(Process, findings), descriptions);
        findings = SlimLockCandidates.Complete(Process, StartupLocks.Complete(Process, findings, descriptions), descriptions);
        RuntimeLocks.Describe(Process, findings, descriptions);
        Missing.AddRange([.. ComCalls.Missing(Process, findings), .. StartupLocks.Missing(Process, findings)]);
        return findings;
    }

    /// <summary>Reads the process environment block of the side's threads, and the system's locks that it names.</summary>
    /// <param name="dump">The dump.</param>
    /// <param name="system">The system, with the architecture of the side.</param>
    /// <param name="symbols">Names functions.</param>
    /// <param name="threads">The side's threads.</param>
    public static ProcessSide Read(MinidumpFile dump, SystemDescription system, ModuleSymbols symbols, IReadOnlyList<WindowsThread> threads)
    {
        ProcessEnvironmentBlock? block = threads.Select(t => t.Environment?.ProcessEnvironmentBlock).OfType<ulong>().Distinct()
            .Select(address => ProcessEnvironmentBlock.Read(dump, WindowsAbi.Of(system), address)).FirstOrDefault(p => p is not null);
        WindowsProcess process = new(dump, system, symbols, block?.LoaderLock, threads);
        return new ProcessSide(
            process,
            block,
            block?.LoaderLock is { } address ? process.Sections.ReadKnown(address) : null,
            Locks.SystemLocks.Read(block, process.Sections));
    }
}
