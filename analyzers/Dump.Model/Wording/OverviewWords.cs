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
        "perhaps several defects: functions without names stand at different places, in one build or in builds that are unknown (--symbols gives them names)";

    /// <summary>A version of a module that no dump tells.</summary>
    public const string UnknownVersion = "version unknown";
}
