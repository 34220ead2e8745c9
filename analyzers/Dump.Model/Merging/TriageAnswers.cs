using Dump.Model.Facts;
using Dump.Model.Reported;

namespace Dump.Model.Merging;

/// <summary>What was answered about a dump, in a word that queries can ask for.</summary>
public static class TriageAnswers
{
    /// <summary>A program crashed, and no hang was found.</summary>
    public const string Crashed = "crashed";

    /// <summary>Nothing was found, and data are missing.</summary>
    public const string CannotDecide = "cannot decide";

    /// <summary>Nothing was found although all data were there.</summary>
    public const string NothingFound = "nothing found";

    /// <summary>There is no report.</summary>
    public const string NotAnalysed = "not analysed";

    /// <summary>The answer of a report: the strongest confidence of a hang in lower case, or one of the above.</summary>
    /// <param name="report">The report, or null when there is none.</param>
    public static string Of(HangReport? report) => report switch
    {
        null => NotAnalysed,
        { StrongestHang: Confidence.Confirmed } => "confirmed",
        { StrongestHang: Confidence.Likely } => "likely",
        { StrongestHang: Confidence.Suspected } => "suspected",
        { Verdicts.IsEmpty: false } => Crashed,
        { IsUndecidable: true } => CannotDecide,
        _ => NothingFound,
    };
}
