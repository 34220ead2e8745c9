using Dump.Model.Merging;
using Dump.Model.Text;

namespace Dump.Model.Wording;

/// <summary>The headings and sentences of an overview of many dumps, which its text and its page both print.</summary>
public static class OverviewWords
{
    /// <summary>Heading of the dumps without a verdict.</summary>
    public const string WithoutVerdict = "Without a verdict";

    /// <summary>Heading of the dumps without a report.</summary>
    public const string Failed = "Not analysed";

    /// <summary>Heading of what the overview does not cover.</summary>
    public const string PassedOver = "Missing or passed over: there may be further hangs";

    /// <summary>Heading of the modules that somebody put into the processes of others.</summary>
    public const string KnownModules = "Hooks, overlays and security products in these processes";

    /// <summary>What is said of a group that may have several causes.</summary>
    public const string PerhapsSeveral =
        "perhaps several defects: functions without names are at different places, in one build or in builds that are unknown (--symbols gives them names)";

    /// <summary>What is said of an overview that a store has counted.</summary>
    public static string OnlyLargest(TriageOverview overview) =>
        $"All numbers count all dumps. The {CountText.Of(overview.Hangs.Length, "largest finding")} and the "
            + $"{CountText.Of(overview.Others.Length, "largest stack")} are shown, each with one dump; the store has the rest: ask it in SQL (docs/store.md), or call merge with --all";

    /// <summary>A version of a module that no dump tells.</summary>
    public const string UnknownVersion = "version unknown";
}
