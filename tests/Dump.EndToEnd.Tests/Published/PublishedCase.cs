using System.Collections.Immutable;
using System.Globalization;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Published;

/// <summary>A hang, or an idle shape, that somebody published, and the answer wanted.</summary>
internal sealed record PublishedCase
{
    /// <summary>Its short name.</summary>
    public required string Name { get; init; }

    /// <summary>Where it was published.</summary>
    public required string Source { get; init; }

    /// <summary>Build of Windows.</summary>
    public required uint Build { get; init; }

    /// <summary>What hangs, in words.</summary>
    public required string Hang { get; init; }

    /// <summary>Detector and confidence, or <c>none</c>: with all names known, and with exported names only.</summary>
    public required (string Symbols, string Exports) Verdict { get; init; }

    /// <summary>The exit code as text, or <c>any</c> of 0 and 13, for both variants.</summary>
    public required (string Symbols, string Exports) ExitCode { get; init; }

    /// <summary>What the report must name.</summary>
    public required ImmutableArray<string> Said { get; init; }

    /// <summary>The threads.</summary>
    public required ImmutableArray<PublishedThread> Threads { get; init; }

    /// <summary>All cases.</summary>
    public static ImmutableArray<PublishedCase> All { get; } = Read(
        File.ReadAllLines(Path.Combine(Repository.Root, "tests", "Dump.EndToEnd.Tests", "Published", "cases.txt")));

    /// <summary>The verdict wanted, for people.</summary>
    public string Answer
    {
        get
        {
            string verdict = Verdict.Symbols == Verdict.Exports ? Verdict.Symbols : $"{Verdict.Symbols}; {Verdict.Exports.Split(' ')[1]} with exported names";
            string said = Said.IsEmpty ? "" : $"; names {string.Join(", ", Said)}";
            return (verdict == "none" ? "no verdict" : verdict) + said;
        }
    }

    private static ImmutableArray<PublishedCase> Read(string[] lines)
    {
        List<List<string>> blocks = [];
        foreach (string line in lines.Where(l => l.Length > 0 && l[0] != '#'))
        {
            if (line.StartsWith("case ", StringComparison.Ordinal))
            {
                blocks.Add([]);
            }

            blocks[^1].Add(line);
        }

        return [.. blocks.Select(b => Of([.. b]))];
    }

    private static PublishedCase Of(ImmutableArray<string> lines)
    {
        string Value(string word) => lines.Single(l => l.StartsWith(word + " ", StringComparison.Ordinal))[(word.Length + 1)..];
        string[] answer = Value("answer").Split("; ");
        string[] verdict = answer[0].Split('/');
        string[] exit = answer[1].Split('/');
        return new PublishedCase
        {
            Name = Value("case"),
            Source = Value("source"),
            Build = uint.Parse(Value("build"), CultureInfo.InvariantCulture),
            Hang = Value("hang"),
            Verdict = (verdict[0], verdict.Length > 1 ? $"{verdict[0].Split(' ')[0]} {verdict[1]}" : verdict[0]),
            ExitCode = (exit[0], exit[^1]),
            Said = [.. lines.Where(l => l.StartsWith("say ", StringComparison.Ordinal)).Select(l => l[4..])],
            Threads = ThreadsOf(lines),
        };
    }

    /// <summary>Each thread is a line with its flags and, indented, lines with its frames.</summary>
    private static ImmutableArray<PublishedThread> ThreadsOf(ImmutableArray<string> lines)
    {
        List<PublishedThread> threads = [];
        foreach (string line in lines)
        {
            if (line == "thread" || line.StartsWith("thread ", StringComparison.Ordinal))
            {
                threads.Add(new PublishedThread([.. line.Split(' ').Skip(1)], []));
            }
            else if (line[0] == ' ')
            {
                threads[^1] = threads[^1] with { Frames = [.. threads[^1].Frames, .. line.Split(' ', StringSplitOptions.RemoveEmptyEntries)
                    .Select(PublishedThread.Frame)] };
            }
        }

        return [.. threads];
    }
}
