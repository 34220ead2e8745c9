using System.Collections.Immutable;
using Dump.Model.Reported;

namespace Dump.Model.Merging;

/// <summary>What was answered about a dump, in a word that queries can ask for.</summary>
public static class TriageAnswers
{
    /// <summary>The strongest verdict on a hang is confirmed.</summary>
    public const string Confirmed = "confirmed";

    /// <summary>The strongest verdict on a hang is likely.</summary>
    public const string Likely = "likely";

    /// <summary>The strongest verdict on a hang is suspected.</summary>
    public const string Suspected = "suspected";

    /// <summary>A program crashed, and no hang was found.</summary>
    public const string Crashed = "crashed";

    /// <summary>Nothing was found, and data are missing.</summary>
    public const string CannotDecide = "cannot decide";

    /// <summary>Nothing was found although all data were there.</summary>
    public const string NothingFound = "nothing found";

    /// <summary>There is no report.</summary>
    public const string NotAnalysed = "not analysed";

    /// <summary>All of them, the strongest first.</summary>
    public static ImmutableArray<string> All { get; } = [Confirmed, Likely, Suspected, Crashed, CannotDecide, NothingFound, NotAnalysed];

    /// <summary>The answer that stands for the strongest confidence of a hang.</summary>
    public static string Of(Facts.Confidence confidence) => confidence switch
    {
        Facts.Confidence.Confirmed => Confirmed,
        Facts.Confidence.Likely => Likely,
        _ => Suspected,
    };

    /// <summary>The answer of a report: one of the above.</summary>
    /// <param name="report">The report, or null when there is none.</param>
    public static string Of(HangReport? report) => report switch
    {
        null => NotAnalysed,
        { StrongestHang: Facts.Confidence.Confirmed } => Confirmed,
        { StrongestHang: Facts.Confidence.Likely } => Likely,
        { StrongestHang: Facts.Confidence.Suspected } => Suspected,
        { Verdicts.IsEmpty: false } => Crashed,
        { IsUndecidable: true } => CannotDecide,
        _ => NothingFound,
    };
}
