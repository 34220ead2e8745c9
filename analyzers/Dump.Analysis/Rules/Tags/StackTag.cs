using System.Collections.Concurrent;
using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Waits;

namespace Dump.Analysis.Rules.Tags;

/// <summary>A tag with the functions that it stands for.</summary>
/// <param name="Name">Names of the tag and those that it is nested in, outermost first, with <c>\</c> between them.</param>
/// <param name="Priority">Where several tags fit, the greatest counts.</param>
/// <param name="Hint">Whether a neighbour of the matched frame gets the tag too.</param>
/// <param name="OnlyShowModule">For a hint: true to name the neighbour's module only, false to name its function too.</param>
/// <param name="Entrypoints">Patterns of module and function, each with <c>*</c> for any characters and <c>?</c> for one.</param>
internal sealed record StackTag(string Name, int Priority, StackTagHint Hint, bool OnlyShowModule, ImmutableArray<(string Module, string Method)> Entrypoints)
{
    /// <summary>True when the tag stands for a function.</summary>
    /// <param name="module">File name of the module.</param>
    /// <param name="function">Its name, or null when it is unknown: only a pattern for all functions fits then.</param>
    public bool Fits(string module, string? function) => Entrypoints.Any(e => Wildcard.Fits(e.Module, module) && FitsMethod(e.Method, function));

    /// <summary>Performance tools write <c>Type::Method</c> for managed methods too.</summary>
    private static bool FitsMethod(string pattern, string? function)
    {
        if (function is null)
        {
            return pattern.Length > 0 && pattern.All(c => c == '*');
        }

        int dot = function.LastIndexOf('.');
        return Wildcard.Fits(pattern, function)
            || (dot > 0 && pattern.Contains("::", StringComparison.Ordinal)
                && Wildcard.Fits(pattern, string.Concat(function.AsSpan(0, dot), "::", function.AsSpan(dot + 1))));
    }
}

/// <summary>Whether a tag names a neighbour of the frame that it matches too.</summary>
internal enum StackTagHint
{
    /// <summary>The matched frame only.</summary>
    None,

    /// <summary>Also the function that calls it.</summary>
    Caller,

    /// <summary>Also the function that it calls.</summary>
    Callee,
}

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
        Focus = report.Focus is { } focus ? focus with
        {
            Frames = Label(focus.Frames),
            Awaited = focus.Awaited is { } awaited ? awaited with { Frames = Label(awaited.Frames) } : null,
        } : null,
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

/// <summary>Patterns with <c>*</c> for any characters, also none, and <c>?</c> for exactly one; letters in any case.</summary>
internal static class Wildcard
{
    /// <summary>True when a text has the form of a pattern. Takes at most the product of both lengths.</summary>
    public static bool Fits(string pattern, string text)
    {
        int p = 0, t = 0, star = -1, mark = 0;
        while (t < text.Length)
        {
            if (p < pattern.Length && pattern[p] == '*')
            {
                (star, mark) = (p++, t);
            }
            else if (p < pattern.Length && (pattern[p] == '?' || char.ToUpperInvariant(pattern[p]) == char.ToUpperInvariant(text[t])))
            {
                p++;
                t++;
            }
            else if (star >= 0)
            {
                (p, t) = (star + 1, ++mark);
            }
            else
            {
                return false;
            }
        }

        return pattern.AsSpan(p).TrimStart('*').IsEmpty;
    }
}
