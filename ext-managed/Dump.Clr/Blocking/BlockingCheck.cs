using System.Globalization;
using Dump.Clr.Waits;
using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Clr.Blocking;

/// <summary>
/// Compares what a thread's frames refer to with the runtime's own records of what it is blocked in. Two sources that agree prove the wait; a record alone
/// proves it as well, because the runtime writes it for exactly that; two that name different objects leave it suspected.
/// </summary>
internal static class BlockingCheck
{
    /// <summary>Compares.</summary>
    /// <param name="kind">What the frames say the thread waits in, or null when they show no wait.</param>
    /// <param name="byFrames">What they say it waits for.</param>
    /// <param name="records">The runtime's records of the thread.</param>
    /// <param name="nameOf">Names an object that only a record shows, by its address.</param>
    public static CheckedTargets Of(
        ManagedWaitKind? kind, IReadOnlyList<WaitTarget> byFrames, IReadOnlyCollection<BlockingRecord> records, Func<ulong, string?> nameOf)
    {
        BlockingRecord[] relevant = [.. records.Where(r => Fits(kind, r.Kind))];
        int[] limits = [.. records.GroupBy(r => r.Source).Select(g => g.First().Milliseconds).Distinct()];
        int? milliseconds = limits is [var limit] ? limit : null;
        if (relevant.Length == 0)
        {
            return new CheckedTargets(byFrames, milliseconds, false);
        }

        ulong[] objects = [.. relevant.Select(r => r.Object).Distinct()];
        if (byFrames is not [var target])
        {
            return objects.Length == 1 ? new CheckedTargets([Recorded(relevant, nameOf)], milliseconds, false) : new CheckedTargets([], milliseconds, true);
        }

        return objects.Contains(target.Resource.Identity)
            ? new CheckedTargets([target with { Grade = Grade.Proven,
                Confirmation = [.. relevant.Where(r => r.Object == target.Resource.Identity).Select(Says)] }], milliseconds, false)
            : new CheckedTargets([target with { Grade = Grade.Suspected, Confirmation = [.. relevant.Select(Says)] }], milliseconds, true);
    }

    private static bool Fits(ManagedWaitKind? kind, BlockingKind record) => (kind, record) switch
    {
        (ManagedWaitKind.MonitorEnter or null, BlockingKind.MonitorEnter) => true,
        (ManagedWaitKind.Lock or null, BlockingKind.Lock) => true,
        (ManagedWaitKind.MonitorWait or null, BlockingKind.MonitorWait) => true,
        _ => false,
    };

    private static Evidence Says(BlockingRecord record) => new(
        EvidenceSource.Runtime,
        string.Create(CultureInfo.InvariantCulture,
            $"{record.Source}: {Verb(record.Kind)} this object{(record.Milliseconds < 0 ? "" : $", at most {record.Milliseconds} ms")}"),
        record.Object);

    private static string Verb(BlockingKind kind) => kind == BlockingKind.MonitorWait ? "waits for a pulse of" : "enters";

    /// <summary>What only records name: up to .NET 9 a static synchronized method keeps no reference to the monitor of its type.</summary>
    private static WaitTarget Recorded(BlockingRecord[] records, Func<ulong, string?> nameOf)
    {
        BlockingRecord record = records[0];
        ResourceKind kind = record.Kind switch
        {
            BlockingKind.MonitorEnter => ResourceKind.Monitor,
            BlockingKind.Lock => ResourceKind.ManagedLock,
            _ => ResourceKind.ManagedSignal,
        };
        return new WaitTarget(new Resource(kind, record.Object), nameOf(record.Object), Grade.Proven, Says(record))
        {
            Confirmation = [.. records.Skip(1).Select(Says)],
        };
    }
}

/// <summary>The targets of a wait after a look at the runtime's own records.</summary>
/// <param name="Targets">The targets, proven where a record agrees, suspected where one contradicts.</param>
/// <param name="Milliseconds">The time limit by the records, -1 for none, or null when they have no record of the thread or differ.</param>
/// <param name="Contradict">True when frames and records name different objects.</param>
internal sealed record CheckedTargets(IReadOnlyList<WaitTarget> Targets, int? Milliseconds, bool Contradict);
