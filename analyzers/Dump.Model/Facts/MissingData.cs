using System.Text.Json.Serialization;

namespace Dump.Model.Facts;

/// <summary>Something that this source of data does not contain, what that prevents, and how to get it.</summary>
/// <param name="What">What is missing, as a noun phrase: <c>thread times (ThreadInfoList stream)</c>.</param>
/// <param name="Consequence">What cannot be decided without it, as a clause.</param>
/// <param name="CaptureAdvice">A command or setting that captures it.</param>
public sealed record MissingData(
    [property: JsonRequired] string What, [property: JsonRequired] string Consequence, [property: JsonRequired] string CaptureAdvice)
{
    /// <summary>What kind of thing it is, which tells it from others; <see cref="MissingKind.Unknown"/> in records of versions that say none.</summary>
    public MissingKind Kind { get; init; }

    /// <summary>How many threads, locks or the like are concerned; null where nothing is counted.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? Count { get; init; }

    /// <summary>What it is missing of, such as a module; null where the kind says it all.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Subject { get; init; }

    /// <summary>What supplies it; its words are <see cref="CaptureAdvice"/>.</summary>
    public CaptureKind Capture { get; init; }

    /// <summary>Something that is missing, in the words of its kind.</summary>
    /// <param name="kind">The kind.</param>
    /// <param name="count">How many are concerned, or null.</param>
    /// <param name="subject">What it is missing of, or null.</param>
    /// <param name="detail">What else the words tell, or null.</param>
    /// <param name="capture">What supplies it; null for what the kind says.</param>
    /// <param name="advice">Words for what supplies it, where only the place that misses it knows them.</param>
    /// <exception cref="ArgumentOutOfRangeException">The kind has no row in <see cref="MissingKinds"/>.</exception>
    public static MissingData Of(
        MissingKind kind, int? count = null, string? subject = null, string? detail = null, CaptureKind? capture = null, string? advice = null)
    {
        MissingKindFacts row = MissingKinds.Of(kind);
        MissingParts parts = new(count ?? 1, subject ?? "", detail ?? "");
        CaptureKind supplies = advice is null ? capture ?? row.Capture : CaptureKind.AsGiven;
        return new MissingData(row.What(parts), row.Consequence(parts), advice ?? CaptureKinds.Words(supplies, CaptureTarget.OfThisSystem, subject))
        {
            Kind = kind,
            Count = count,
            Subject = subject,
            Capture = supplies,
        };
    }

    /// <summary>The same with advice on its target: the tools of its system, and a living process by its id.</summary>
    public MissingData For(CaptureTarget target) => Capture == CaptureKind.AsGiven ? this : this with { CaptureAdvice = CaptureKinds.Words(Capture, target, Subject) };
}

/// <summary>What differs between things of one kind that are missing.</summary>
/// <param name="Count">How many are concerned; 1 where nothing is counted.</param>
/// <param name="Subject">What it is missing of, such as a module; empty where the kind says it all. The same lack of two dumps has the same.</param>
/// <param name="Detail">What else the words tell, such as why or an address; the same lack of two dumps may have another.</param>
public readonly record struct MissingParts(int Count, string Subject, string Detail);
