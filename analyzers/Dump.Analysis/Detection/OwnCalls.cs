using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis.Looks;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Wording;

namespace Dump.Analysis.Detection;

/// <summary>Pending calls by the innermost async method of the program's own projects.</summary>
/// <param name="Calls">The calls.</param>
/// <param name="Own">That method.</param>
/// <param name="Next">What it awaits, or null where that is not known.</param>
internal sealed record OwnCalls(PendingCalls Calls, AsyncStep Own, AsyncStep? Next)
{
    /// <summary>As many as make a head blocker; idle queues have fewer consumers.</summary>
    public const int Fewest = 10;

    /// <summary>More consumers than any queue was seen to have; requests without an answer are as many in seconds.</summary>
    public const int MoreThanConsumers = 100;

    private const string Semaphore = "SemaphoreSlim.WaitAsync";
    private const string SemaphoreType = "System.Threading.SemaphoreSlim.";
    private const string Source = "TaskCompletionSource";
    private const string ChannelReader = "ChannelReader.";

    private const string Flush = "PipeWriter.FlushAsync";

    // Its methods call on: what is behind them may be a connection that stays.
    private const string Server = "Microsoft.AspNetCore.";

    // What asks for a place: an idle program has nobody who does.
    private static readonly string[] s_requests = ["ChannelWriter.WriteAsync", "ChannelWriter.WaitToWriteAsync", Flush];

    // Clients whose completion sources are ended by what a server answers (Microsoft.Data.SqlClient, TdsParserStateObject.cs).
    private static readonly string[] s_clients = ["Microsoft.Data.SqlClient.", "System.Data.SqlClient."];

    // How methods of libraries begin that wait for the next piece of work, or run for as long as the program.
    private static readonly string[] s_waiting =
    [
        "Accept", "Consume", "Dequeue", "GetContext", "Invoke", "Join", "Listen", "MoveNext", "Next", "Observe", "Poll", "Process", "Read", "Receive", "Run",
        "Start", "Stop", "Subscribe", "Take", "Wait", "Watch",
    ];

    /// <summary>All of a snapshot; a caller does not stand beside the method of the program that it awaits.</summary>
    public static IEnumerable<OwnCalls> Of(AnalysisContext context) =>
        (context.Snapshot.AsyncWaits?.Calls ?? []).Where(c => c.End != AwaitEndKind.Running).Select(c => Innermost(context, c)).OfType<OwnCalls>();

    /// <summary>
    /// True for so many calls that do not wait for new work, and for which only other code of the process can do what must happen. Idle consumers of a queue
    /// look the same where a call awaits a semaphore or a completion source itself: those must be more, or requests to a server, or such that nothing which
    /// goes on leads to their sources.
    /// </summary>
    /// <param name="context">What is known of the process.</param>
    public bool IsCrowd(AnalysisContext context) =>
        (Calls.End == AwaitEndKind.OtherCode || IsOfPool) && Calls.Count >= Fewest && Calls.Steps.All(s => s.Branches.IsEmpty) && Next is not null && AsksFor(context) && !IsLed(context)
            && !ManagedCode.Runs(context.Snapshot, new HashSet<string>(StringComparer.Ordinal) { Own.Name })
            && !context.Calls.Any(c => c.Own.Name == Own.Name && c.Calls.End is AwaitEndKind.Time or AwaitEndKind.InputOutput);

    /// <summary>True where the program itself awaits a semaphore or a completion source to which nothing that goes on is known to lead.</summary>
    /// <param name="context">What is known of the process.</param>
    public bool IsForOwnCode(AnalysisContext context) => Calls.End == AwaitEndKind.OtherCode && Calls.Steps.All(s => s.Branches.IsEmpty) && IsDirect
        && (Last == Semaphore || IsSource) && !IsLed(context)
        && !ManagedCode.Runs(context.Snapshot, new HashSet<string>(StringComparer.Ordinal) { Own.Name });

    /// <summary>
    /// True for calls that wait for room or for their turn, and for requests to a server that wait for what the program itself has to do. A slow consumer, or a client that
    /// waits for news long, looks the same, so that only those which stand in two looks leave the answer open.
    /// </summary>
    /// <param name="context">What is known of the process.</param>
    public bool IsOpenRequest(AnalysisContext context) => Calls is { End: AwaitEndKind.OtherCode, Requests: var requests } && ((IsForRoom && Last != Flush) || (IsForTurn && !MayBeReleased(context)) || (requests > 0 && IsForOwnCode(context)));

    /// <summary>True where the program's own method awaits a semaphore that it releases itself, as one uses a lock: no consumer of a queue does.</summary>
    public bool IsForTurn => Own.TakesTurns && IsDirect && Last == Semaphore;

    /// <summary>
    /// True where they wait for their turn at a semaphore that nobody is seen to hold: no call stands between the wait and the release, no other call of these methods is
    /// there, and no other thread executes or waits in code of the program. Then one look is enough to leave the answer open.
    /// </summary>
    /// <param name="context">What is known of the process.</param>
    public bool IsForLostTurn(AnalysisContext context) => IsForTurn && SemaphoreIn(context) is { Holders.IsEmpty: true, AreHoldersKnown: true, Further: 0 } semaphore
        && semaphore.Unlimited == semaphore.Waiters
        && context.Snapshot.Threads.All(t => t.ManagedId is null || t.HasExited || semaphore.Threads.Contains(t.Id) || context.Application.Innermost(t.Stack.Frames) is null
            || (EntryMethod.IsUnder(t) && t.Activity.Kind is ThreadActivityKind.Waiting or ThreadActivityKind.Sleeping));

    /// <summary>True where who holds the semaphore goes on by itself, or may: where holders are not known another call of the method may be one.</summary>
    private bool MayBeReleased(AnalysisContext context) => SemaphoreIn(context) is { } semaphore && (GoesOn(context, semaphore, [])
        || (!semaphore.AreHoldersKnown && context.Calls.Any(c => c.Own.Name == Own.Name && c.Calls.End is AwaitEndKind.Time or AwaitEndKind.InputOutput)));

    /// <summary>True where a call that holds the semaphore, or one that holds what it waits for, goes on by itself or by what comes from outside.</summary>
    private static bool GoesOn(AnalysisContext context, AwaitedSemaphore semaphore, HashSet<ulong> seen) => seen.Add(semaphore.Address) && semaphore.Holders.Any(h => h.Behind.IsEmpty
        ? (context.Snapshot.AsyncWaits?.Calls ?? []).Any(c => c.End != AwaitEndKind.OtherCode && c.Steps.Take(c.Methods).Any(s => s.Name == h.Method.Name && s.State == h.Method.Place?.State))
        : h.Behind.Any(b => context.Snapshot.AsyncWaits!.Semaphores.FirstOrDefault(s => s.Address == b) is { } next && GoesOn(context, next, seen)));

    /// <summary>The semaphore for which all of the calls wait; null where it is none, or they wait for several.</summary>
    /// <param name="context">What is known of the process.</param>
    public AwaitedSemaphore? SemaphoreIn(AnalysisContext context) =>
        Calls.Ends != 1 ? null : context.Snapshot.AsyncWaits?.Semaphores.FirstOrDefault(s => s.Address == Calls.Object);

    /// <summary>True where one look is enough to leave the answer open: what is awaited shows that they ask for something, or a server's clients wait.</summary>
    public bool Asks => Calls.Requests >= Fewest || IsForRoom || IsOfLibrary;

    /// <summary>The method, its line, what it waits for, and who waits.</summary>
    public string Sentence => $"{CountText.Grouped(Calls.Count, "call")} of {Own.Name}{FrameWords.Source(Own.Source)} {(Calls.Count == 1 ? "waits" : "wait")} for "
        + $"{(Next is null ? "what is not known" : Last)}{Object}{(Next is null || Next == Calls.Steps[^1] ? "" : $", through {Next.Name}")}";

    /// <summary>True where cancellation tokens lead to what the calls wait for: whoever gives up ends their wait.</summary>
    public bool HasTokens(AnalysisContext context) => IsSource && Sources(context).Any(s => s.Leads.Any(l => l.Name == AwaitedSources.Token));

    /// <summary>The oldest earlier look in which these calls stood at the same await for the same objects, and since which no call of their method has moved.</summary>
    public EarlierLook? Since(AnalysisContext context) => context.Earlier.Since(look => Compare(context, look) == Standing.All);

    /// <summary>What became of the calls of an earlier look.</summary>
    public Standing Compare(AnalysisContext context, EarlierLook look)
    {
        Dictionary<string, Kind> now = Kinds(context.Snapshot.AsyncWaits), before = Kinds(look.Pair.Earlier.AsyncWaits);
        long kept = 0, known = 0;
        foreach ((string kind, Kind calls) in before)
        {
            Kind later = now.GetValueOrDefault(kind, Kind.None);
            PendingCall[] asked = [.. calls.First.Where(c => c.Task <= later.Known)];
            known += asked.Length;
            kept += asked.Count(later.First.Contains);
        }

        // A collection moves objects, and then those that are gone from their addresses may stand elsewhere.
        bool isComparable = context.Snapshot.AsyncWaits?.HeapShape is { } shape && shape == look.Pair.Earlier.AsyncWaits?.HeapShape;
        return known == 0 ? Standing.Unknown
            : kept == known ? now.ContainsKey(KindOf(Calls)) && before.ContainsKey(KindOf(Calls)) ? Standing.All : Standing.Unknown
            : isComparable || now.Values.Sum(k => k.Count) < before.Values.Sum(k => k.Count) ? Standing.Some
            : Standing.Unknown;

        Dictionary<string, Kind> Kinds(AsyncWaits? waits) =>
            (waits?.Calls ?? []).Where(c => c.Steps.Take(c.Methods).Any(s => s.Name == Own.Name)).GroupBy(KindOf).ToDictionary(g => g.Key, Kind.Of);
    }

    private bool AsksFor(AnalysisContext context) =>
        IsForRoom || IsOfPool || (Last == Semaphore && !IsOfClient ? IsOfLibrary || Calls.Requests >= Fewest || IsManyOfItself : IsSource && AsksForSource(context));

    private bool AsksForSource(AnalysisContext context) =>
        IsOfLibrary ? Sources(context).Any(IsOpen) : IsManyOfItself || (IsDirect && Sources(context).Sum(s => s.Open ?? 0) >= Fewest);

    /// <summary>True where the program itself awaits what ends the wait, more often than consumers of a queue do.</summary>
    private bool IsManyOfItself => Calls.Count >= MoreThanConsumers && IsDirect;

    /// <summary>From .NET 11 on the semaphore's own method is a step of its own.</summary>
    private bool IsDirect => Next is { } next && (next == Calls.Steps[^1] || next.Name.StartsWith(SemaphoreType, StringComparison.Ordinal));

    private bool IsOfClient => Calls.Steps.Any(s => s_clients.Any(c => s.Name.StartsWith(c, StringComparison.Ordinal)));

    private string Last => Calls.Steps[^1].Name;

    private bool IsSource => Last.StartsWith(Source, StringComparison.Ordinal);

    /// <summary>True where room is asked for; how fast a server's answer is taken, its client decides.</summary>
    private bool IsForRoom => s_requests.Contains(Last)
        && (Last != Flush || (Calls.Requests == 0 && !Calls.Steps.Any(s => s.Name.StartsWith(Server, StringComparison.Ordinal))));

    /// <summary>
    /// True where the program's method has called a library, by whose name that does not wait for new work, and that waits for what is known not to come from
    /// outside by itself: libraries have tasks of their own for that.
    /// </summary>
    private bool IsOfLibrary => Next is { Code: not null } next && next != Calls.Steps[^1]
        && (IsSource || Last == Semaphore || Last.StartsWith(ChannelReader, StringComparison.Ordinal))
        && !IsOfClient && !next.Name.StartsWith(Server, StringComparison.Ordinal)
        && next.Name[(next.Name.LastIndexOf('.') + 1)..] is var method && !s_waiting.Any(w => method.StartsWith(w, StringComparison.Ordinal));

    /// <summary>True where a library takes what it lends out of a channel, as a pool of connections does: who waits there asks, and does not consume.</summary>
    private bool IsOfPool => Calls.End == AwaitEndKind.NewWork && IsOfLibrary && Last.StartsWith(ChannelReader, StringComparison.Ordinal);

    /// <summary>
    /// True where what goes on by itself leads to the sources, and may complete them. Every call of an HTTP client has a registration with a token, which ends
    /// it only when somebody gives up.
    /// </summary>
    private bool IsLed(AnalysisContext context) => IsSource
        && (Sources(context).Any(s => s is { Open: < Fewest, Leads.IsEmpty: false } && !(IsOfLibrary && IsOpen(s)))
            || (context.Snapshot.AsyncWaits?.Tasks ?? []).Any(t => t.EndsByItself == true && t.Methods.Any(m => m.Name == Own.Name))
            || Sources(context).SelectMany(s => SourceWords.Working(context, s)).Any());

    /// <summary>True where nothing that goes on is known to lead to the sources but registrations with tokens.</summary>
    private static bool IsOpen(AwaitedSources sources) =>
        sources.Open >= Fewest || (sources is { Open: not null, Leads.IsEmpty: false } && sources.Leads.All(l => l.Name == AwaitedSources.Token));

    private IEnumerable<AwaitedSources> Sources(AnalysisContext context) =>
        (context.Snapshot.AsyncWaits?.Sources ?? []).Where(s => s.Methods.Any(m => Calls.Steps.Any(step => step.Name == m.Name)));

    private string Object => Calls switch
    {
        { Object: not { } } => "",
        { Ends: 1, ObjectState: { } state } => string.Create(CultureInfo.InvariantCulture, $" 0x{Calls.Object:x} ({state})"),
        { Ends: 1 } => string.Create(CultureInfo.InvariantCulture, $" 0x{Calls.Object:x}"),
        _ => string.Create(CultureInfo.InvariantCulture, $" ({Calls.Ends:N0} of them; the first is 0x{Calls.Object:x})"),
    };

    private static string KindOf(PendingCalls calls) => string.Join('\n', calls.Steps.Select(s => string.Create(CultureInfo.InvariantCulture, $"{s.Name} {s.State}")));

    /// <summary>The innermost method of the program's projects, where it is one of the calls' own and not of one that they await: that one has calls of its own.</summary>
    private static OwnCalls? Innermost(AnalysisContext context, PendingCalls calls)
    {
        int index = calls.Steps.Length - 1;
        while (index >= 0 && !IsOwn(context, calls.Steps[index]))
        {
            index--;
        }

        return index < 0 || index >= calls.Methods || calls.Steps.Skip(index).SelectMany(s => s.Branches).Any(b => HasOwn(context, b)) ? null
            : new OwnCalls(calls, calls.Steps[index], index + 1 < calls.Steps.Length ? calls.Steps[index + 1] : null);
    }

    private static bool HasOwn(AnalysisContext context, AsyncBranch branch) =>
        branch.Steps.Any(s => IsOwn(context, s) || s.Branches.Any(b => HasOwn(context, b)));

    private static bool IsOwn(AnalysisContext context, AsyncStep step) =>
        context.Snapshot.ModuleOf(step.Code) is { } module && context.Application.IsOfProject(module);

    /// <summary>Calls of a method at the same await, with equal chains below.</summary>
    /// <param name="Count">How many there are.</param>
    /// <param name="First">Those that are told one by one.</param>
    /// <param name="Known">Up to this address all are.</param>
    private sealed record Kind(long Count, HashSet<PendingCall> First, ulong Known)
    {
        public static Kind None { get; } = new(0, [], ulong.MaxValue);

        public static Kind Of(IEnumerable<PendingCalls> calls) => new(
            calls.Sum(c => c.Count), [.. calls.SelectMany(c => c.First)],
            calls.Select(c => c.Count <= c.First.Length ? ulong.MaxValue : c.First.Select(f => f.Task).DefaultIfEmpty().Max()).Min());
    }

    /// <summary>What became of calls.</summary>
    internal enum Standing
    {
        /// <summary>Not known: some stand elsewhere, as after a collection, or none were known.</summary>
        Unknown,

        /// <summary>All stand where they stood.</summary>
        All,

        /// <summary>Some have moved on.</summary>
        Some,
    }
}
