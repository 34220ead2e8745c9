using System.Globalization;
using Dump.Model.Reported;
using Dump.Model.Text;

namespace Dump.Reports.Html.Elements;

/// <summary>Threads of a report in words.</summary>
/// <param name="report">The report.</param>
internal sealed class ThreadLabels(HangReport report)
{
    private readonly Dictionary<uint, ReportedThread> _threads = report.Threads.GroupBy(t => t.Id).ToDictionary(g => g.Key, g => g.First());

    /// <summary>A thread by number and id, for example <c>thread 1 (0xc4)</c>; without a number where the report does not list it.</summary>
    public string Short(uint id) => _threads.TryGetValue(id, out ReportedThread? thread)
        ? string.Create(CultureInfo.InvariantCulture, $"thread {thread.Index} (0x{id:x})")
        : $"thread 0x{id:x}";

    /// <summary>The thread's name, or null.</summary>
    public string? Name(uint id) => _threads.GetValueOrDefault(id)?.Name is { Length: > 0 } name ? name : null;

    /// <summary>A thread by number, id and name.</summary>
    public string Full(uint id) => (_threads.TryGetValue(id, out ReportedThread? thread), Name(id)) switch
    {
        (true, { } name) => string.Create(CultureInfo.InvariantCulture, $"thread {thread!.Index} (0x{id:x} {SafeText.Quote(name)})"),
        _ => Short(id),
    };
}
