using System.Collections.Immutable;
using System.Globalization;
using System.Runtime.Versioning;
using Dump.Model.Process;

namespace Dump.Capture.Proc;

/// <summary>
/// Threads of a process that wait to write to a pipe, as <c>/proc</c> tells without stopping anything: who stands there over a whole look finds no room, because
/// nobody reads (pipe(7)). A logger that writes to standard output stands so when whoever started the program does not read it.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class FullPipes
{
    private const int MostThreads = 4_096;
    private const int MostReaders = 8;
    private static readonly (int Descriptor, string Name)[] s_standard = [(1, "standard output"), (2, "standard error")];

    private readonly int _process;
    private readonly Dictionary<uint, Moment> _writing;

    private FullPipes(int process, Dictionary<uint, Moment> writing) => (_process, _writing) = (process, writing);

    /// <summary>Looks at them.</summary>
    /// <param name="process">The process.</param>
    public static FullPipes Of(int process)
    {
        Dictionary<uint, Moment> writing = [];
        foreach (uint thread in ProcFile.ThreadIds(process).Take(MostThreads))
        {
            if (Look(process, thread) is { } moment)
            {
                writing.Add(thread, moment);
            }
        }

        return new FullPipes(process, writing);
    }

    /// <summary>The pipes of those that stand in the same call now, and have not run since.</summary>
    public ImmutableArray<FullPipe> Still() =>
    [
        .. _writing.Where(w => Look(_process, w.Key) == w.Value).GroupBy(w => w.Value.Pipe)
            .Select(g => new FullPipe(NameOf(g.Key, g.First().Value.Descriptor), [.. g.Select(w => w.Value.Thread).Order()], Readers(g.Key))),
    ];

    private static Moment? Look(int process, uint thread)
    {
        string task = string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/task/{thread}");
        return PipeEnds.WrittenBy(process, task) is { } written && ProcFile.Text($"{task}/status") is { } text && ProcTaskStatus.Parse(text) is var status
            ? new Moment(written.Pipe, written.Descriptor, status.OwnId ?? thread, status.VoluntarySwitches) : null;
    }

    /// <summary>Programs write to copies of their standard output; the pipe is the same.</summary>
    private string NameOf(string pipe, ulong descriptor) =>
        s_standard.FirstOrDefault(s => ProcFile.Link(string.Create(CultureInfo.InvariantCulture, $"/proc/{_process}/fd/{s.Descriptor}")) == pipe).Name
            ?? string.Create(CultureInfo.InvariantCulture, $"file descriptor {descriptor}");

    /// <summary>Processes that this user may look at, the process itself among them.</summary>
    private static ImmutableArray<string> Readers(string pipe) =>
    [
        .. PipeEnds.Readers(pipe).Take(MostReaders)
            .Select(id => TaskStat.Parse(ProcFile.Text(string.Create(CultureInfo.InvariantCulture, $"/proc/{id}/stat"))) is { } stat
                ? string.Create(CultureInfo.InvariantCulture, $"process {id} ({stat.Name})") + (stat.State == 'T' ? ", which a signal has stopped" : "")
                : string.Create(CultureInfo.InvariantCulture, $"process {id}")),
    ];

    /// <summary>A thread in the call, by its id as the process knows it: in a container it is another one than this program sees.</summary>
    private sealed record Moment(string Pipe, ulong Descriptor, uint Thread, long? Switches);
}
