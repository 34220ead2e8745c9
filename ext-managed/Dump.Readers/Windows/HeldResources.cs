using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Minidump;
using Dump.Readers.Windows.Locks;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows;

/// <summary>
/// Collects who holds what: owners found through waits, the loader lock and other locks of the system, and locked critical sections of the system's list.
/// </summary>
internal static class HeldResources
{
    /// <summary>All ownerships, each resource and owner once.</summary>
    public static IEnumerable<OwnershipFact> Read(
        ProcessSide side,
        IReadOnlyList<WaitFindings> findings,
        ReadLimits limits,
        List<ReaderProblem> problems)
    {
        WindowsProcess process = side.Process;
        Dictionary<ulong, CriticalSection> sections = [];
        if (side.LoaderLock is { } loaderLock)
        {
            sections.Add(loaderLock.Address, loaderLock);
        }

        // What is only suspected to be a section leads to no others, and its memory alone names no owner.
        foreach (ulong address in findings.SelectMany(f => f.Waits).Where(w => w.Grade > Grade.Suspected).Select(w => w.Resource)
            .Concat(side.SystemLocks.Keys)
            .Where(r => r.Facts.IsCriticalSection && r.Identity != 0).Select(r => r.Identity))
        {
            if (process.Sections.ReadKnown(address) is { } section)
            {
                sections.TryAdd(address, section);
            }
        }

        CriticalSectionList list = new(process.Sections, limits.MaxListLength);
        HashSet<ulong> walked = [];
        foreach (CriticalSection start in sections.Values.ToArray())
        {
            // From a section that an earlier walk came by, the same list leads on to the same sections.
            foreach (CriticalSection section in walked.Contains(start.Address) ? [] : list.Walk(start, problems))
            {
                walked.Add(section.Address);
                sections.TryAdd(section.Address, section);
            }
        }

        return findings.SelectMany(f => f.Ownerships)
            .Concat(sections.Values.Where(s => s.IsLocked).OrderBy(s => s.Address).Select(process.OwnershipOf))
            .GroupBy(o => (o.Resource, o.OwnerThreadId)).Select(g => g.MaxBy(o => o.Grade)!);
    }

    /// <summary>Names of the kernel objects that threads wait for.</summary>
    public static ImmutableDictionary<Resource, string> Names(WindowsProcess process, ImmutableArray<WaitFact> waits)
    {
        HashSet<Resource> resources = [.. waits.Select(w => w.Resource)];
        ImmutableDictionary<Resource, string>.Builder names = ImmutableDictionary.CreateBuilder<Resource, string>();
        foreach (MinidumpHandle handle in process.Dump.Handles ?? [])
        {
            Resource resource = HandleResources.ResourceOf(handle);
            if (handle.ObjectName is { Length: > 0 } name && resources.Contains(resource))
            {
                names[resource] = name;
            }
        }

        return names.ToImmutable();
    }

    /// <summary>Recorded states of the kernel objects that threads wait for.</summary>
    public static ImmutableDictionary<Resource, string> States(WindowsProcess process, ImmutableArray<WaitFact> waits)
    {
        HashSet<Resource> resources = [.. waits.Select(w => w.Resource)];
        ImmutableDictionary<Resource, string>.Builder states = ImmutableDictionary.CreateBuilder<Resource, string>();
        foreach (MinidumpHandle handle in process.Dump.Handles ?? [])
        {
            Resource resource = HandleResources.ResourceOf(handle);
            if (resources.Contains(resource) && HandleStates.Describe(process, handle) is { } state)
            {
                states[resource] = state;
            }
        }

        Resource itself = new(ResourceKind.Process, WaitedHandle.CurrentProcess);
        if (resources.Contains(itself))
        {
            states[itself] = "this process itself, or a handle that was not checked: INVALID_HANDLE_VALUE is the same number";
        }

        return states.ToImmutable();
    }
}
