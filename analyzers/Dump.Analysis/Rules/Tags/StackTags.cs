using System.Collections.Concurrent;
using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Waits;

namespace Dump.Analysis.Rules.Tags;

/// <summary>
/// Labels of frames and stacks by tags of Windows Performance Analyzer. Of several tags that fit a frame the one with the greatest priority counts, of those
/// the first in the file. A stack's tag is that of its frames with the greatest priority, of those the innermost; guessed frames do not count for it.
/// </summary>
public sealed class StackTags
{
    private const string Resource = "default.stacktags";
    private static readonly Lazy<StackTags> s_default = new(ReadOwn);
    private readonly ImmutableArray<StackTag> _tags;
    private readonly ConcurrentDictionary<(string Module, string? Function), StackTag?> _known = new();

    private StackTags(ImmutableArray<StackTag> tags) => _tags = [.. tags.OrderByDescending(t => t.Priority)];

    /// <summary>The tags that come with this program: waits, spin loops, the loader, collections, garbage collection, hooks.</summary>
    public static StackTags Default => s_default.Value;

    /// <summary>Number of tags.</summary>
    public int Count => _tags.Length;

    /// <summary>Reads tags.</summary>
    /// <param name="xml">The content of a <c>.stacktags</c> file.</param>
    /// <exception cref="InvalidRulesException">The text is something else.</exception>
    public static StackTags Read(string xml) => new(StackTagsXml.Read(xml));

    /// <summary>A process with its frames labelled.</summary>
    public ProcessSnapshot Label(ProcessSnapshot snapshot) => snapshot with
    {
        Threads = [.. snapshot.Threads.Select(t => t
            with { Stack = t.Stack with { Frames = Label(t.Stack.Frames, f => (f.Module, f.Called), (f, tag) => f with { Tag = tag }) } })],
    };

    /// <summary>
    /// A report with its frames labelled. Where frames between those that matter are left out, the neighbours
    /// of a frame are unknown, and only hints to neighbours that are there apply.
    /// </summary>
    public HangReport Label(HangReport report) => report with
    {
        Verdicts = [.. report.Verdicts.Select(v => v with { Stacks = [.. v.Stacks.Select(s => s with { Frames = Label(s.Frames) })] })],
        Focus = report.Focus is { } focus ? focus with { Frames = Label(focus.Frames) } : null,
        Threads = [.. report.Threads.Select(t => t.Frames is { } frames ? t with { Frames = Label(frames) } : t)],
    };

    /// <summary>The tags of labelled frames, the stack's tag first: by priority, then from the innermost frame outwards; each once.</summary>
    public ImmutableArray<string> Summary(IEnumerable<ReportedFrame> frames) =>
        [.. frames.Where(f => f is { Tag: not null, Trust: > FrameTrust.Scan }).OrderByDescending(f => Find(f.Module, f.Function ?? f.EnteredAs)?.Priority ?? 0)
            .Select(f => f.Tag!).Distinct()];

    private ImmutableArray<ReportedFrame> Label(ImmutableArray<ReportedFrame> frames) =>
        Label(frames, f => (f.Module, f.Function ?? f.EnteredAs), (f, tag) => f with { Tag = tag }, (inner, outer) => outer.Index == inner.Index + 1);

    private ImmutableArray<T> Label<T>(
        ImmutableArray<T> frames, Func<T, (string? Module, string? Function)> name, Func<T, string, T> label, Func<T, T, bool>? areNeighbours = null)
    {
        string?[] names = new string?[frames.Length];
        for (int i = 0; i < frames.Length; i++)
        {
            (string? module, string? function) = name(frames[i]);
            StackTag? tag = Find(module, function);
            names[i] = tag?.Name ?? names[i];
            int neighbour = tag?.Hint switch { StackTagHint.Callee => i - 1, StackTagHint.Caller => i + 1, _ => -1 };
            if (neighbour >= 0 && neighbour < frames.Length && areNeighbours?.Invoke(frames[Math.Min(i, neighbour)], frames[Math.Max(i, neighbour)]) != false
                && name(frames[neighbour]) is { Module: { } other } called)
            {
                names[neighbour] ??= called.Function is null || tag!.OnlyShowModule ? $"{tag!.Name}\\{other}" : $"{tag.Name}\\{other}\\{called.Function}";
            }
        }

        return Array.TrueForAll(names, n => n is null) ? frames : [.. frames.Select((f, i) => names[i] is { } text ? label(f, text) : f)];
    }

    private StackTag? Find(string? module, string? function) =>
        module is null ? null : _known.GetOrAdd((module, function), key => _tags.FirstOrDefault(t => t.Fits(key.Module, key.Function)));

    private static StackTags ReadOwn()
    {
        using Stream stream = typeof(StackTags).Assembly.GetManifestResourceStream(typeof(StackTags), Resource)
            ?? throw new InvalidOperationException($"{Resource} is not part of this assembly");
        using StreamReader reader = new(stream);
        return Read(reader.ReadToEnd());
    }
}
