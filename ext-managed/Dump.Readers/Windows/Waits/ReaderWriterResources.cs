using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Readers.Instructions;
using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// Finds the RTL_RESOURCE that a thread waits for: <c>RtlAcquireResourceShared</c> or <c>RtlAcquireResourceExclusive</c> stands on the stack of a thread that waits
/// for a semaphore, and the record to which the waiting frames or the caller's code point has that very semaphore and counts waiters for it.
/// </summary>
internal static class ReaderWriterResources
{
    private const int MostHolders = 1 << 24;

    /// <summary>The findings with such waits in place of those for the semaphore.</summary>
    /// <param name="process">The process.</param>
    /// <param name="findings">One for each thread, in the threads' order.</param>
    /// <param name="descriptions">Receives the state of those that readers hold.</param>
    public static List<WaitFindings> Complete(
        WindowsProcess process, List<WaitFindings> findings, IDictionary<Resource, ResourceDescription> descriptions) =>
        !ReaderWriterResourceLayout.IsKnown(process.Abi) ? findings
            : [.. process.Threads.Zip(findings, (thread, found) => Of(process, thread, found, descriptions) ?? found)];

    private static WaitFindings? Of(
        WindowsProcess process, WindowsThread thread, WaitFindings findings, IDictionary<Resource, ResourceDescription> descriptions)
    {
        // The function says what is waited for; a handle that was only found among the frames' values is worth less.
        if (findings is not { Activity.SystemCall: "NtWaitForSingleObject" or "NtWaitForMultipleObjects", Waits: [{ } wait] }
            || (wait.Resource.Kind is not (ResourceKind.Semaphore or ResourceKind.KernelObject) && wait.Grade > Grade.Suspected)
            || thread.NtdllRun.Select(Function).OfType<string>().FirstOrDefault() is not { } function)
        {
            return null;
        }

        ulong semaphore = wait.Resource is { Kind: ResourceKind.Semaphore, Identity: var handle and not 0 } && wait.Grade > Grade.Suspected ? handle
            : SystemCallArgument.First(process, thread)?.Value ?? 0;
        bool isShared = function.EndsWith("Shared", StringComparison.Ordinal);
        HashSet<ulong> values = StackValues.Read(process.Dump, thread, thread.NtdllRun.Length + 1);
        int caller = thread.NtdllRun.Length;
        ulong? given = caller < thread.Walked.Count ? CallSiteReader.Read(process.Dump, thread.Walked[caller]).First : null;
        ulong[] fitting = [.. (given is { } argument ? values.Append(argument) : values).Distinct().Where(v => Fits(process, thread, v, semaphore, isShared))];
        Evidence call = new(EvidenceSource.Stack, $"{function} is on the stack");
        Grade trust = thread.TrustOf(thread.NtdllRun.Length);
        if (fitting is not [var address])
        {
            return findings with { Ownerships = [], Waits = [wait with { Resource = new Resource(ResourceKind.ReaderWriterResource, 0, thread.Id), Timeout = WaitTimeout.Infinite,
                Grade = trust < Grade.Derived ? trust : Grade.Derived, Evidence = [call] }] };
        }

        Resource resource = new(ResourceKind.ReaderWriterResource, address);
        int semaphoreAt = isShared ? ReaderWriterResourceLayout.SharedSemaphore : ReaderWriterResourceLayout.ExclusiveSemaphore;
        Grade found = semaphore != 0 ? wait.Grade : given == address ? Grade.Proven : Grade.Derived;
        Evidence how = semaphore != 0
            ? new Evidence(EvidenceSource.Memory, $"its semaphore for {(isShared ? "readers" : "writers")} is the one that is waited for", address + (ulong)semaphoreAt, semaphore)
            : new Evidence(
                given == address ? EvidenceSource.Code : EvidenceSource.Register,
                given == address ? $"argument of the call to {function} in the caller's code" : "the only RTL_RESOURCE with such waiters that the waiting frames point to", address);
        WaitFact known = wait with
        {
            Resource = resource,

            // Its own limit (ntdll's RtlpTimeout) makes it say so and wait again.
            Timeout = WaitTimeout.Infinite,
            Milliseconds = null,
            Grade = trust < found ? trust : found,
            Evidence = [call, how, .. semaphore != 0 ? wait.Evidence : thread.Cautions],
        };
        int active = (int)process.Dump.ReadUInt32(address + ReaderWriterResourceLayout.Active)!.Value;
        if (active > 0)
        {
            descriptions[resource] = new ResourceDescription("RTL_RESOURCE", $"held by {CountText.Of(active, "reader")}");
            return findings with { Waits = [known], Ownerships = [] };
        }

        uint? owner = process.Dump.ReadUInt32(address + ReaderWriterResourceLayout.ExclusiveOwner);
        return findings with
        {
            Waits = [known],
            Ownerships = active == 0 || owner is null or 0 ? [] : [new OwnershipFact(resource, owner.Value, process.Exists(owner.Value), -active, known.Grade,
                [
                    new Evidence(
                        EvidenceSource.Memory, string.Create(CultureInfo.InvariantCulture, $"RTL_RESOURCE.ExclusiveOwnerThread, NumberOfActive {active}"),
                        address + ReaderWriterResourceLayout.ExclusiveOwner, owner.Value),
                ])
                {
                    // RtlReleaseResource does not ask who calls it.
                    OthersMayRelease = true,
                }],
        };
    }

    private static string? Function(StackFrame frame) =>
        new[] { frame.Function, frame.EnteredAs }.FirstOrDefault(f => f is "RtlAcquireResourceShared" or "RtlAcquireResourceExclusive");

    /// <summary>
    /// True for a record with waiters of the kind that the thread does not hold for writing, which it could enter again, whose semaphore is the given one; where the system keeps no argument of the wait (0), both must be semaphores of the
    /// handle stream.
    /// </summary>
    private static bool Fits(WindowsProcess process, WindowsThread thread, ulong address, ulong semaphore, bool isShared)
    {
        if (address is not (> 0xFFFF and < ulong.MaxValue - 0x1000) || address % sizeof(ulong) != 0
            || process.Dump.ReadUInt64(address + ReaderWriterResourceLayout.SharedSemaphore) is not { } shared
            || process.Dump.ReadUInt64(address + ReaderWriterResourceLayout.ExclusiveSemaphore) is not { } exclusive
            || process.Dump.ReadUInt32(address + (ulong)(isShared ? ReaderWriterResourceLayout.SharedWaiters : ReaderWriterResourceLayout.ExclusiveWaiters))
                is not (> 0 and < MostHolders)
            || process.Dump.ReadUInt32(address + ReaderWriterResourceLayout.Active) is not { } active || Math.Abs((long)(int)active) >= MostHolders
            || ((int)active < 0 && process.Dump.ReadUInt32(address + ReaderWriterResourceLayout.ExclusiveOwner) == thread.Id))
        {
            return false;
        }

        return semaphore != 0 ? (isShared ? shared : exclusive) == semaphore
            : process.Handle(shared)?.TypeName == "Semaphore" && process.Handle(exclusive)?.TypeName == "Semaphore";
    }
}
