using System.Collections.Immutable;
using Dump.Capture.Watching.Conditions;
using Dump.Capture.Watching.Looks;

namespace Dump.Capture.Watching;

/// <summary>What a watch looks at, and when it captures.</summary>
public sealed record ProcessWatchOptions
{
    /// <summary>What is watched.</summary>
    public required ImmutableArray<WatchTarget> Targets { get; init; }

    /// <summary>The conditions; each one alone is enough.</summary>
    public required ImmutableArray<IWatchRule> Rules { get; init; }

    /// <summary>What is asked besides; begins anew after each capture.</summary>
    public ImmutableArray<IAnswerProbe> Probes { get; init; } = [];

    /// <summary>Time between two looks.</summary>
    public TimeSpan Interval { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Time between two searches for processes of a name.</summary>
    public TimeSpan Search { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Pause after a capture before the same condition counts again for that process; doubled while nothing new comes of it.</summary>
    public TimeSpan BackOff { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>Longest such pause.</summary>
    public TimeSpan LongestBackOff { get; init; } = TimeSpan.FromHours(4);
}
