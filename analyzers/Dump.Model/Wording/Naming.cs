using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;

namespace Dump.Model.Wording;

/// <summary>Names threads and resources in the words of a report.</summary>
public sealed class Naming
{
    private readonly ThreadNames _threads;
    private readonly ProcessSnapshot _snapshot;

    /// <summary>Names things of one snapshot.</summary>
    public Naming(ProcessSnapshot snapshot)
    {
        _snapshot = snapshot;
        _threads = new ThreadNames(snapshot);
    }

    /// <summary>A thread: its number in the dump, its id and its name, for example <c>thread 7 (0x1a4 'render')</c>.</summary>
    public string Thread(uint id) => _threads.Full(id);

    /// <summary>The same at the beginning of a sentence.</summary>
    public string ThreadCapitalised(uint id) => string.Concat("T", Thread(id).AsSpan(1));

    /// <summary>A resource, for example <c>critical section 0x1400abc0</c>.</summary>
    public string Resource(Resource resource)
    {
        string text = resource switch
        {
            { Kind: ResourceKind.Thread, Identity: <= uint.MaxValue } => $"the end of {Thread((uint)resource.Identity)}",
            _ when _snapshot.ResourceDescriptions.TryGetValue(resource, out ResourceDescription? known) => Described(known, resource),
            _ when _snapshot.SystemLocks.TryGetValue(resource, out string? use) => $"{use} (critical section 0x{resource.Identity:x})",
            _ => resource.Facts.Words(resource.Identity),
        };
        text = _snapshot.WithState(resource, text);
        return _snapshot.ResourceNames.TryGetValue(resource, out string? name) ? $"{text} {SafeText.Quote(name)}" : text;
    }

    /// <summary>The text as the beginning of a sentence.</summary>
    /// <param name="text">Words; not empty.</param>
    public static string Capitalised(string text) => string.Concat(text[..1].ToUpperInvariant(), text.AsSpan(1));

    /// <summary>A sentence that begins with a common word, behind a colon; one that begins with a name of code stays as it is.</summary>
    public static string Uncapitalised(string text) =>
        text.Length > 1 && text.IndexOf(' ', StringComparison.Ordinal) is var end and > 0 && text[1..end].All(char.IsAsciiLetterLower)
            ? string.Concat(text[..1].ToLowerInvariant(), text.AsSpan(1)) : text;

    /// <summary>Processor times in words.</summary>
    public static string Times(ThreadTimes times)
    {
        const double Half = 0.005;

        // Clocks are coarse: a time of 0 is one that was too short for them, of which there is no share.
        string load = times.Load switch
        {
            null or 0 => "",
            < Half => ", less than 1 % of one processor in its life",
            { } share => string.Create(CultureInfo.InvariantCulture, $", {share * 100:0} % of one processor in its life"),
        };
        return string.Create(
            CultureInfo.InvariantCulture,
            $"CPU time {Duration(times.Total)} (user {Duration(times.User)}, kernel {Duration(times.Kernel)}){load}");
    }

    /// <summary>Processor time between two samples in words, for example <c>0.98 s of processor time in the last 1 s</c>.</summary>
    public static string Use(ProcessorUse use) =>
        $"{Duration(use.Used)} of CPU time in the last {Duration(use.Over)}{(use.WasAlwaysReady == true ? ", ready to run all the time" : "")}";

    /// <summary>A duration in words, for example <c>2 h 14 min</c> or <c>1.32 s</c>.</summary>
    public static string Duration(TimeSpan time) => time.TotalSeconds switch
    {
        < 60 => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0.##} s"),
        < 3600 => string.Create(CultureInfo.InvariantCulture, $"{(int)time.TotalMinutes} min {time.Seconds} s"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{(int)time.TotalHours} h {time.Minutes} min"),
    };

    /// <summary>A time limit of a wait: below 0.1 s, where seconds with two digits say little, in milliseconds.</summary>
    public static string TimeLimit(long milliseconds) =>
        milliseconds < 100 ? string.Create(CultureInfo.InvariantCulture, $"{milliseconds} ms") : Duration(TimeSpan.FromMilliseconds(milliseconds));

    /// <summary>A described resource, for example <c>SemaphoreSlim 0x7f2a10 (0 free, 3 waiting)</c>.</summary>
    public static string Described(ResourceDescription description, Resource resource) =>
        $"{description.Name}{(resource.Identity == 0 ? "" : $" 0x{resource.Identity:x}")}{(description.State is { } state ? $" ({state})" : "")}";
}
