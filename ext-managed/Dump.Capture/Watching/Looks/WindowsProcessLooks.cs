using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using Dump.Capture.Windows;
using Dump.Capture.Windows.Messages;
using Dump.Capture.Windows.Processes;
using Dump.Model.Text;
using Dump.Readers;

namespace Dump.Capture.Watching.Looks;

/// <summary>
/// Looks at Windows processes, which needs the right to describe them only. Each process that was found is kept open until it has ended, so that its id is not
/// given to another one between two looks, or between a look and a capture.
/// </summary>
public sealed class WindowsProcessLooks : IProcessLooks, IDisposable
{
    private const string Host = "dotnet.exe";
    private const string Library = ".dll";
    private const string Extension = ".exe";
    private const int LongestName = 64;
    private readonly IWindowsCalls _calls;
    private readonly Action<string> _log;
    private readonly HashSet<WatchedProcess> _windowless = [];
    private readonly Dictionary<WatchedProcess, IOpenProcess> _open = [];

    internal WindowsProcessLooks(IWindowsCalls calls, Action<string> log) => (_calls, _log) = (calls, log);

    /// <summary>Looks at the processes of this machine.</summary>
    /// <param name="log">Told what cannot be seen, a sentence without a full stop each (sanitised).</param>
    [SupportedOSPlatform("windows")]
    public static WindowsProcessLooks OfThisMachine(Action<string> log) => new(new WindowsCalls([], null), log);

    /// <summary>Why a process cannot be captured, in one line with what to do; null when it can.</summary>
    /// <param name="process">Process id.</param>
    public string? Refusal(int process) => TargetRefusal.Of(_calls.Describe(process));

    /// <inheritdoc/>
    public IReadOnlyList<WatchedProcess> Find(WatchTarget target)
    {
        List<WatchedProcess> found = [];
        foreach (ListedProcess process in _calls.Processes().Where(p => p.Id != Environment.ProcessId && IsCandidate(target, p)))
        {
            if (_calls.Open(process.Id) is not { } open)
            {
                continue;
            }

            WatchedProcess? watched = Match(target, process, open);
            if (watched is not null)
            {
                found.Add(watched);
            }

            if (watched is null || !_open.TryAdd(watched, open))
            {
                open.Dispose();
            }
        }

        return found;
    }

    /// <inheritdoc/>
    public ProcessLook? Look(WatchedProcess process)
    {
        TimeSpan moment = Stopwatch.GetElapsedTime(0);
        if (_open.TryGetValue(process, out IOpenProcess? open) && open.Processor is { } processor)
        {
            int threads = _calls.Processes().FirstOrDefault(p => p.Id == process.Id).Threads;
            return new ProcessLook(moment, processor, threads)
            {
                ReadThreads = () => Threads(process.Id),
                ReadWindows = () => Windows(process),
            };
        }

        _windowless.Remove(process);
        if (_open.Remove(process))
        {
            open!.Dispose();
        }

        return null;
    }

    /// <inheritdoc/>
    public long? Memory(WatchedProcess process) => _calls.CommittedBytes(process.Id, onlyImages: false);

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (IOpenProcess open in _open.Values)
        {
            open.Dispose();
        }

        _open.Clear();
    }

    /// <summary>What the list alone tells: a name that fits, or a host of .NET programs, whose command line tells.</summary>
    private static bool IsCandidate(WatchTarget target, ListedProcess process) =>
        target.Id is { } id ? process.Id == id : target.Matches(process.Program) || IsHost(process);

    private static bool IsHost(ListedProcess process) => process.Program.Equals(Host, StringComparison.OrdinalIgnoreCase);

    private static WatchedProcess? Match(WatchTarget target, ListedProcess process, IOpenProcess open)
    {
        string? library = IsHost(process) ? LibraryOf(open.CommandLine) : null;
        if (open.Processor is null || open.Started is not { } started || (target.Id is null && !target.Matches(process.Program, library)))
        {
            return null;
        }

        string name = target.Name ?? Without(library, Library) ?? Without(process.Program, Extension)!;
        return new WatchedProcess(process.Id, SafeText.Clean(name, LongestName), TimeSpan.FromTicks(started.Ticks));
    }

    /// <summary>What <c>dotnet</c> runs: the first argument that names a library.</summary>
    private static string? LibraryOf(string? commandLine) => CommandLineWords.Of(commandLine ?? "").Skip(1)
        .FirstOrDefault(a => a.EndsWith(Library, StringComparison.OrdinalIgnoreCase)) is { } path ? path[(path.LastIndexOfAny(['\\', '/']) + 1)..] : null;

    private static string? Without(string? name, string end) =>
        name is not null && name.EndsWith(end, StringComparison.OrdinalIgnoreCase) ? name[..^end.Length] : name;

    /// <summary>The windows of another session cannot be seen, which is not the same as that there are none.</summary>
    private IReadOnlyList<WindowAnswer> Windows(WatchedProcess process)
    {
        IReadOnlyList<WindowAnswer> answers = WindowQuestions.Ask(_calls, process.Id);
        if (answers.Count == 0 && _windowless.Add(process)
            && _calls.Describe(process.Id) is { Session: { } session, OwnSession: { } own } && session != own)
        {
            _log(string.Create(CultureInfo.InvariantCulture,
                $"the windows of process {process.Id} cannot be seen: it runs in session {session}, this program in session {own}"));
        }

        return answers;
    }

    private Dictionary<WatchedThread, TimeSpan> Threads(int process) => _calls.Sample(process, ReadLimits.Default.MaxThreads)?.Threads
        .ToDictionary(t => new WatchedThread(t.Key, TimeSpan.FromTicks(t.Value.Created.Ticks)), t => t.Value.Total) ?? [];
}
