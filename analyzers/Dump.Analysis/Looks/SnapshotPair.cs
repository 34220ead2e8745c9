using Dump.Model.Process;

namespace Dump.Analysis.Looks;

/// <summary>Two snapshots of one process, in the order of their capture.</summary>
public sealed record SnapshotPair
{
    /// <summary>Writers note the moment of capture in whole seconds: a shorter distance could be anything.</summary>
    private static readonly TimeSpan s_shortestKnown = TimeSpan.FromSeconds(2);

    /// <summary>Most pauses, beside those that all threads have, of one that somebody stopped by itself.</summary>
    private const int MostPausesBeside = 4;

    private readonly Dictionary<uint, ThreadSnapshot> _before;
    private readonly Dictionary<uint, ThreadSnapshot> _after;
    private readonly Lazy<long?> _leastPauses;

    private SnapshotPair(ProcessSnapshot earlier, ProcessSnapshot later)
    {
        Earlier = earlier;
        Later = later;
        Elapsed = later.Source.Captured - earlier.Source.Captured is { } distance && distance >= s_shortestKnown ? distance : null;
        _before = earlier.Threads.GroupBy(t => t.Id).ToDictionary(g => g.Key, g => g.First());
        _after = later.Threads.GroupBy(t => t.Id).ToDictionary(g => g.Key, g => g.First());
        _leastPauses = new Lazy<long?>(() => _after.Keys.Min(PausesOf));
    }

    /// <summary>The first one.</summary>
    public ProcessSnapshot Earlier { get; }

    /// <summary>The second one.</summary>
    public ProcessSnapshot Later { get; }

    /// <summary>Time between them, or null when it is not recorded or too short to be known.</summary>
    public TimeSpan? Elapsed { get; }

    /// <summary>False when both say when they were captured, and next to no time lies between them.</summary>
    public bool MayBeApart => Elapsed is not null || Earlier.Source.Captured is null || Later.Source.Captured is null;

    /// <summary>Two snapshots that are known to be of one process and in order.</summary>
    internal static SnapshotPair Of(ProcessSnapshot earlier, ProcessSnapshot later) => new(earlier, later);

    /// <summary>Puts two snapshots in order.</summary>
    /// <param name="first">One; the earlier when the moments of capture do not tell.</param>
    /// <param name="second">The other.</param>
    /// <param name="difference">Why they are not of one process, when null is returned; else null.</param>
    public static SnapshotPair? Create(ProcessSnapshot first, ProcessSnapshot second, out string? difference)
    {
        difference = ProcessIdentity.Difference(first, second);
        return difference is not null ? null
            : first.Source.Captured > second.Source.Captured ? new SnapshotPair(second, first)
            : new SnapshotPair(first, second);
    }

    /// <summary>
    /// Processor time that a thread used from the first to the second, or null when it is not recorded in both, or the id belongs to another thread by now.
    /// </summary>
    public TimeSpan? UsedBy(uint thread) =>
        _before.GetValueOrDefault(thread)?.Times is { } before && _after.GetValueOrDefault(thread)?.Times is { } after && IsSame(before, after)
            ? after.Total - before.Total
            : null;

    /// <summary>
    /// How often a thread gave up the processor of its own accord between the looks, to wait for something: 0 for one that stood in one wait all the time. Null where
    /// that is not counted in both, or the id belongs to another thread by now. A thread that was stopped goes back to its wait once.
    /// </summary>
    public long? PausesOf(uint thread) => HasBoth(thread) && _before[thread].Switches is { AtStop: var before } && _after[thread].Switches is { BeforeStop: var after }
        && after >= before ? Math.Max(0, after - before - 1) : null;

    /// <summary>
    /// True for a thread that is known to have run between the looks, false for one that is known to have stood in one wait; null where its pauses were not counted, or
    /// others may have stopped it: other looks and debuggers stop all threads alike, so that what all have in common is no work of theirs.
    /// </summary>
    public bool? HasRun(uint thread) => PausesOf(thread) switch
    {
        null => null,
        0 => false,
        { } pauses => pauses - _leastPauses.Value > MostPausesBeside ? true : null,
    };

    /// <summary>True when a thread has run between the looks, by its pauses or else by its processor time; null where neither tells.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="most">Most processor time of one that stood.</param>
    public bool? HasMoved(uint thread, TimeSpan most) => HasRun(thread) ?? (UsedBy(thread) is { } used ? used > most : null);

    /// <summary>True for a thread of a living process that gave up the processor of its own accord, to wait once more, in the moments before each of the looks.</summary>
    internal bool WasWokenBeforeBoth(uint thread) => UseBeforeEarlier(thread) is { Pauses: > 0 } && UseBeforeLater(thread) is { Pauses: > 0 };

    /// <summary>What a thread of a living process did in the moments before the first of the looks; null where that is unknown.</summary>
    internal ProcessorUse? UseBeforeEarlier(uint thread) => _before.GetValueOrDefault(thread)?.RecentUse;

    /// <summary>The same before the second one.</summary>
    internal ProcessorUse? UseBeforeLater(uint thread) => _after.GetValueOrDefault(thread)?.RecentUse;

    /// <summary>True when both list the thread, and nothing shows that the id was given to a new one.</summary>
    public bool HasBoth(uint thread) =>
        _before.GetValueOrDefault(thread) is { } before && _after.GetValueOrDefault(thread) is { } after
        && (before.Times is null || after.Times is null || IsSame(before.Times, after.Times));

    /// <summary>
    /// True when the thread stands at the same frames in both, and what these frames hold has not changed, as far as it was read: a loop comes back to the same
    /// frames with other values in them.
    /// </summary>
    public bool HasSameFrames(uint thread) =>
        _before.GetValueOrDefault(thread)?.Stack is { Frames: { IsEmpty: false } } before && _after.GetValueOrDefault(thread)?.Stack is { } after
        && before.Frames.Select(f => (f.InstructionPointer, f.StackPointer)).SequenceEqual(after.Frames.Select(f => (f.InstructionPointer, f.StackPointer)))
        && (before.Content is null || after.Content is null || before.Content == after.Content);

    /// <summary>True when what the innermost frames of the thread hold was read in both and has not changed; it is not read of managed frames.</summary>
    public bool HasSameContent(uint thread) =>
        _before.GetValueOrDefault(thread)?.Stack.Content is { } content && content == _after.GetValueOrDefault(thread)?.Stack.Content;

    /// <summary>
    /// True when what the frames outside ntdll of a waiting thread hold was read in both and differs: it has not waited all the time, but waits again.
    /// </summary>
    public bool HasOtherCallerContent(uint thread) =>
        _before.GetValueOrDefault(thread)?.Stack.CallerContent is { } before && _after.GetValueOrDefault(thread)?.Stack.CallerContent is { } after
            && before != after;

    /// <summary>True when both have frames of the thread.</summary>
    public bool KnowsFrames(uint thread) =>
        _before.GetValueOrDefault(thread)?.Stack is { Frames.IsEmpty: false } && _after.GetValueOrDefault(thread)?.Stack is { Frames.IsEmpty: false };

    /// <summary>What the thread does in the later one, or null when that does not list it.</summary>
    public ThreadActivityKind? ActivityOf(uint thread) => _after.GetValueOrDefault(thread)?.Activity.Kind;

    /// <summary>True when somebody had suspended the thread in the earlier one, too.</summary>
    public bool WasSuspended(uint thread) => HasBoth(thread) && _before.GetValueOrDefault(thread)?.SuspendedAbove > 0;

    private static bool IsSame(ThreadTimes before, ThreadTimes after) =>
        (before.Created is null || after.Created is null || before.Created == after.Created) && after.Total >= before.Total;
}
