using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Minidump;
using Dump.Readers.Unwinding;
using Dump.Readers.Windows.Locks;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows;

/// <summary>Says which data a dump carries and what the missing ones would take.</summary>
internal static class AvailableData
{
    /// <summary>Judges what there is.</summary>
    public static DataAvailability Judge(
        MinidumpFile dump, IReadOnlyList<WindowsThread> threads, ImmutableArray<ThreadSnapshot> snapshots, ImmutableArray<WaitFact> waits,
        bool hasLoaderLock) => new(
        Stacks: snapshots.All(t => t.HasExited || t.Stack.End is StackEnd.Complete or StackEnd.Limit),
        ThreadTimes: dump.ThreadInfos is { Count: > 0 },
        ThreadEnvironmentBlocks: threads.All(t => t.Environment is not null),
        LoaderLock: hasLoaderLock,
        LockMemory: !waits.Any(w => w.Resource is { Kind: ResourceKind.CriticalSection, Identity: 0 }),
        Handles: dump.Handles is not null,
        HandleOwners: dump.Handles is { } handles && handles.Any(h => h.Information.Count > 0))
    {
        AllThreads = dump.HasAllThreads,
        AllMemory = (dump.Header.Flags & WindowsDescriptions.FullMemoryFlag) != 0,
    };

    /// <summary>What cannot be analysed at all.</summary>
    public static IEnumerable<MissingData> Missing(MinidumpFile dump, SystemDescription system, bool isEmulatedSideRead)
    {
        if (!StackWalkers.IsKnown(system.Architecture))
        {
            yield return MissingData.Of(MissingKind.Unwinder, subject: system.Architecture.ToString());
        }

        // The stacks that matter are those of the 32-bit code, below the contexts that the dump lists.
        if (EmulatedSide.Exists(dump) && !isEmulatedSideRead)
        {
            yield return MissingData.Of(MissingKind.EmulatedStacks);
        }

        if (!dump.HasAllThreads)
        {
            yield return MissingData.Of(MissingKind.ThreadList);
        }

        if (dump.MemoryRanges.Count == 0)
        {
            yield return MissingData.Of(MissingKind.ProcessMemory);
        }
    }
}
