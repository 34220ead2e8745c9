using Dump.Analysis.Rules;
using Dump.Analysis.Rules.Issues;
using Dump.Analysis.Rules.Tags;

namespace Dump.Analysis.Merging;

/// <summary>The rules that an overview applies to stored reports.</summary>
public sealed record OverviewOptions
{
    /// <summary>The rules that come with this program.</summary>
    public static OverviewOptions Default { get; } = new();

    /// <summary>Libraries that are known to be loaded into other people's processes.</summary>
    public KnownModules KnownModules { get; init; } = KnownModules.Default;

    /// <summary>Hangs that others have explained.</summary>
    public KnownIssues KnownIssues { get; init; } = KnownIssues.Default;

    /// <summary>Labels of frames.</summary>
    public StackTags Tags { get; init; } = StackTags.Default;
}
