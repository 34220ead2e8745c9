using System.Collections.Immutable;
using System.Globalization;
using System.Runtime.Versioning;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Readers.Linux.Waits;

namespace Dump.Capture.Proc;

/// <summary>
/// Which threads of a living process stand ready for new work: in <c>accept</c>, in a wait for files of which one is a listening socket, or, in the first
/// process of a server, in a wait for a signal. That nothing else can be expected of them is said only where nobody waits to be accepted and no connection is
/// open, for what a peer waits for the system does not tell.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class ServerWaits
{
    private const int MostNamed = 3;

    // A wait of ppoll for no file is how pause(2) waits where it is no call of its own; other waits of ppoll are known.
    private static readonly string[] s_signalCalls = ["rt_sigsuspend", "rt_sigtimedwait", "pause", "ppoll"];

    // What threads of the process hand each other, and timers: of others than the process nothing is expected through them. What a set within the set watches
    // is not looked at, so that it does not stand here.
    private static readonly string[] s_own = ["anon_inode:[eventfd]", "anon_inode:[timerfd]", "anon_inode:[signalfd]"];

    private readonly OpenDescriptors _descriptors;
    private readonly SocketEnds _sockets;
    private readonly HashSet<int> _watched;
    private readonly Lazy<string[]> _ofParent;
    private readonly Lazy<PipeEnds> _pipes;

    private ServerWaits(OpenDescriptors descriptors, IEnumerable<int> watched)
    {
        _descriptors = descriptors;
        _sockets = new SocketEnds(descriptors);
        _watched = [.. watched];
        _ofParent = new Lazy<string[]>(() => TaskStat.Parse(ProcFile.Text($"/proc/{descriptors.Process}/stat")) is { Parent: > 0 and var parent }
            ? [.. new OpenDescriptors(parent).Files.Values] : []);
        _pipes = new Lazy<PipeEnds>(() => new PipeEnds(descriptors.Process));
    }

    /// <summary>The snapshot with what is known of such waits.</summary>
    /// <param name="snapshot">What was read of the process.</param>
    /// <param name="watched">The files for which its threads wait.</param>
    /// <param name="process">Its id.</param>
    public static ProcessSnapshot Describe(ProcessSnapshot snapshot, ImmutableArray<WatchedFiles> watched, int process)
    {
        HashSet<uint> accepting = [.. snapshot.Threads.Where(t => t.Activity.SystemCall is "accept" or "accept4").Select(t => t.Id)];
        HashSet<uint> known = [.. snapshot.Waits.Select(w => w.ThreadId)];
        ThreadSnapshot[] signals = [.. snapshot.Threads.Where(t => s_signalCalls.Contains(t.Activity.SystemCall) && !known.Contains(t.Id))];
        if (watched.IsEmpty && accepting.Count == 0 && signals.Length == 0)
        {
            return snapshot;
        }

        Dictionary<uint, int[]> files = watched.DistinctBy(w => w.ThreadId).ToDictionary(w => w.ThreadId, w => Members(process, w));
        ServerWaits server = new(new OpenDescriptors(process), files.Values.SelectMany(f => f));
        return server.Describe(snapshot, files, accepting, signals);
    }

    private ProcessSnapshot Describe(ProcessSnapshot snapshot, Dictionary<uint, int[]> files, HashSet<uint> accepting, ThreadSnapshot[] signals)
    {
        if (Listening(_descriptors.Files.Keys).Length == 0)
        {
            return snapshot;
        }

        int open = OpenConnections();
        ImmutableDictionary<Resource, string>.Builder states = snapshot.ResourceStates.ToBuilder();
        List<WaitFact> waits = [];
        foreach (WaitFact wait in snapshot.Waits)
        {
            int[]? own = wait.Resource.Kind == ResourceKind.Work ? files.GetValueOrDefault(wait.ThreadId)
                : wait.Resource.Kind == ResourceKind.FileDescriptor && accepting.Contains(wait.ThreadId) ? [(int)wait.Resource.Identity] : null;
            (int Descriptor, SocketRow Row)[] listening = own is null ? [] : Listening(own);
            if (listening.Length == 0)
            {
                waits.Add(wait);
                continue;
            }

            long waiting = listening.Sum(l => _sockets.Table.WaitingFor(l.Row));
            states[wait.Resource] = Words(listening, waiting, open);
            waits.Add(wait with { IsForNewWork = waiting == 0 && open == 0 && own!.All(IsHarmless) });
        }

        waits.AddRange(signals.Select(t => OfFirstProcess(t, open, states)).OfType<WaitFact>());
        return snapshot with { Waits = [.. waits], ResourceStates = states.ToImmutable() };
    }

    private static string Words((int Descriptor, SocketRow Row)[] listening, long waiting, int open)
    {
        string named = string.Join(", ", listening.Take(MostNamed).Select(l => $"{l.Row.Kind} ({DescriptorWords.Of([l.Descriptor])})"));
        string more = listening.Length > MostNamed ? $" and {listening.Length - MostNamed} more" : "";
        string queue = waiting == 0 ? "nobody waits" : $"{CountText.Of(waiting, "connection")} {(waiting == 1 ? "waits" : "wait")}";
        return $"it listens on {named}{more}; {queue} to be accepted; "
            + (open == 0 ? "no connection is open"
                : $"{CountText.Of(open, "connection")} {(open == 1 ? "is" : "are")} open, and whether a peer waits for an answer the system does not tell");
    }

    /// <summary>
    /// The first process of a server waits for signals, of its children among others, and holds the listening sockets for them. Without children that live, any
    /// such wait may be for a signal that came before.
    /// </summary>
    private WaitFact? OfFirstProcess(ThreadSnapshot thread, int open, ImmutableDictionary<Resource, string>.Builder states)
    {
        int process = _descriptors.Process;
        int[] children =
        [
            .. (ProcFile.Text($"/proc/{process}/task/{process}/children") ?? "").Split(' ', StringSplitOptions.RemoveEmptyEntries)
                .Select(c => int.TryParse(c, NumberStyles.None, CultureInfo.InvariantCulture, out int id) ? id : 0).Where(id => id > 0),
        ];
        bool allLive = children.Length > 0 && children.All(c => TaskStat.Parse(ProcFile.Text($"/proc/{c}/stat")) is { State: not ('Z' or 'X') });
        if (!allLive || open > 0)
        {
            return null;
        }

        Resource resource = new(ResourceKind.Work, 0, thread.Id);
        string named = string.Join(", ", children.Take(MostNamed).Select(c => c.ToString(CultureInfo.InvariantCulture)));
        states[resource] = $"its {(children.Length == 1 ? "child process does" : "child processes do")} the work, which to look at as well: {named}"
            + $"{(children.Length > MostNamed ? $" and {children.Length - MostNamed} more" : "")}; it listens, and no connection is open in the process itself";
        return new WaitFact(thread.Id, resource, WaitTimeout.Infinite, Grade.Derived, thread.Activity.Evidence) { IsForNewWork = true };
    }

    /// <summary>The members of a set of epoll that the system lists in lines <c>tfd:</c> (proc_pid_fdinfo(5)), or the descriptors of the call.</summary>
    private static int[] Members(int process, WatchedFiles watched) => watched.EventSet is not { } set ? [.. watched.Descriptors]
        : MembersIn(ProcFile.Text(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/fdinfo/{set}")) ?? "");

    internal static int[] MembersIn(string text) =>
    [
        .. text.Split('\n').Where(l => l.StartsWith("tfd:", StringComparison.Ordinal)).Select(l => l[4..].Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Select(f => f.Length > 0 && int.TryParse(f[0], NumberStyles.None, CultureInfo.InvariantCulture, out int descriptor) ? descriptor : -1),
    ];

    private (int Descriptor, SocketRow Row)[] Listening(IEnumerable<int> descriptors) =>
    [
        .. descriptors.Order().Select(d => (Descriptor: d, Row: RowOf(d))).Where(s => s.Row is { IsListening: true }).Select(s => (s.Descriptor, s.Row!))
            .DistinctBy(s => s.Item2.Number),
    ];

    private SocketRow? RowOf(int descriptor) =>
        _descriptors.Files.TryGetValue(descriptor, out string? file) && OpenDescriptors.SocketOf(file) is { } number ? _sockets.Table.Find(number) : null;

    /// <summary>
    /// Sockets through which somebody else may wait for this process, or it for him. One that is not known counts, and so do descriptors that are not.
    /// </summary>
    private int OpenConnections() =>
        _descriptors.Files.Where(f => OpenDescriptors.SocketOf(f.Value) is not null).DistinctBy(f => f.Value).Count(f => IsConnection(f.Key))
            + (_descriptors.AreAll ? 0 : 1);

    private bool IsConnection(int descriptor)
    {
        if (RowOf(descriptor) is not { } row)
        {
            return true;
        }

        if (row.IsListening)
        {
            return false;
        }

        // Messages for a log are only sent; within the process, and to the process that started this one, nobody waits for an answer from here that is not
        // waited for there as well.
        bool isWatched = _descriptors.Files.Any(f => _watched.Contains(f.Key) && f.Value == _descriptors.Files[descriptor]);
        return !(row is { IsUnix: true, IsDatagram: true } && !isWatched)
            && !(_sockets.OtherEndOf(row) is { } end
                && (_descriptors.OfSocket(end).Length > 0
                    || (row is { IsUnix: true, Path: "" } && _sockets.Table.Find(end) is { Path: "" } && _ofParent.Value.Contains($"socket:[{end}]"))));
    }

    /// <summary>True for a file whose readiness only means new work: nobody else is expected to answer through it.</summary>
    private bool IsHarmless(int descriptor) => _descriptors.Files.TryGetValue(descriptor, out string? file)
        && (OpenDescriptors.SocketOf(file) is not null ? !IsConnection(descriptor)
            : PipeEnds.IsPipe(file) ? _pipes.Value.HasBothEnds(file)
            : s_own.Contains(file));
}
