using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Text;

namespace Dump.Model.Wording;

/// <summary>What the threads of a process are called: <c>thread 7 (0x1a4 'render')</c>, on Linux <c>thread 7 (4711 'render')</c>.</summary>
public sealed class ThreadNames
{
    private readonly FrozenDictionary<uint, (int Index, string? Name)> _threads;
    private readonly OperatingSystemFamily _family;

    /// <summary>Names the threads of a snapshot.</summary>
    public ThreadNames(ProcessSnapshot snapshot)
        : this(snapshot.Threads.Select(t => (t.Id, t.Index, t.Name)), snapshot.System.Family)
    {
    }

    /// <summary>Names the threads of a document.</summary>
    public ThreadNames(ProcessDocument document)
        : this(document.Threads.Select(t => (t.Id, t.Index, t.Name)), document.Process.Family)
    {
    }

    private ThreadNames(IEnumerable<(uint Id, int Index, string? Name)> threads, OperatingSystemFamily family) =>
        (_threads, _family) = (threads.GroupBy(t => t.Id).ToFrozenDictionary(g => g.Key, g => (g.First().Index, g.First().Name)), family);

    /// <summary>The system's id of a thread as the tools of that system write it: decimal on Linux (<c>top -H</c>, gdb), else hexadecimal (WinDbg).</summary>
    public static string Id(uint id, OperatingSystemFamily family) =>
        family == OperatingSystemFamily.Linux ? id.ToString(CultureInfo.InvariantCulture) : $"0x{id:x}";

    /// <summary>A thread by number, id and name, for lists that may have several threads of one id.</summary>
    public string Of(ReportedThread thread) => Words(thread.Id, thread.Index, thread.Name);

    /// <summary>A thread by number, id and name; by its id alone where no threads are known.</summary>
    public string Full(uint id) => _threads.TryGetValue(id, out (int Index, string? Name) thread) ? Words(id, thread.Index, thread.Name) : Unlisted(id);

    /// <summary>Its system id alone.</summary>
    public string SystemId(uint id) => Id(id, _family);

    /// <summary>Several threads, the first few by name, the rest counted.</summary>
    /// <param name="ids">Their ids.</param>
    /// <param name="most">How many are named.</param>
    public string Some(ImmutableArray<uint> ids, int most) => string.Join(", ", ids.Take(most).Select(Full))
        + (ids.Length > most ? string.Create(CultureInfo.InvariantCulture, $" and {ids.Length - most} more") : "");

    /// <summary>A thread by number and id.</summary>
    public string Short(uint id) => _threads.TryGetValue(id, out (int Index, string? Name) thread) ? Words(id, thread.Index, null) : Unlisted(id);

    /// <summary>The name that the program gave the thread, or null.</summary>
    public string? Name(uint id) => _threads.GetValueOrDefault(id).Name is { Length: > 0 } name ? name : null;

    private string Unlisted(uint id) => _threads.Count == 0 ? $"thread {Id(id, _family)}" : $"thread {Id(id, _family)} (not in the dump)";

    private string Words(uint id, int index, string? name) =>
        string.Create(CultureInfo.InvariantCulture, $"thread {index} ({Id(id, _family)}{(name is { Length: > 0 } ? $" {SafeText.Quote(name)}" : "")})");
}
