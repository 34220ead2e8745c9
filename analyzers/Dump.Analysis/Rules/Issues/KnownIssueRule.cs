using System.Collections.Immutable;
using Dump.Analysis.Names;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Rules.Issues;

/// <summary>
/// A hang that others have met and explained, with what it is recognised by. All parts must fit; names are exact, and guessed frames do not count.
/// </summary>
/// <param name="Id">Short name, unique in the list.</param>
/// <param name="Detectors">Ids of the detectors, one of which must have made the verdict.</param>
/// <param name="Frames">Frames that must be among those that prove the verdict, on whichever thread.</param>
/// <param name="SameThread">True when all these frames must be on one thread.</param>
/// <param name="Versions">Versions of a loaded module without which it is another hang, or null.</param>
/// <param name="Issue">What is said.</param>
public sealed record KnownIssueRule(
    string Id,
    ImmutableArray<string> Detectors,
    ImmutableArray<KnownIssueFrame> Frames,
    bool SameThread,
    KnownIssueVersions? Versions,
    KnownIssue Issue)
{
    /// <summary>True when the verdict is this hang.</summary>
    public bool Fits(HangReport report, ReportedVerdict verdict)
    {
        if (!Detectors.Contains(verdict.DetectorId)
            || (Versions is { } versions && !report.Modules.Any(m => ModuleNames.Normal(m.Name) == versions.Module && versions.Contains(m.Version))))
        {
            return false;
        }

        (string? Module, string? Function)[][] stacks = [.. verdict.Stacks.Select(s => s.Frames.Where(f => f.Trust > FrameTrust.Scan).Select(Normal)
            .ToArray())];
        return SameThread ? stacks.Any(HasAll) : HasAll([.. stacks.SelectMany(s => s)]);
    }

    private bool HasAll((string? Module, string? Function)[] frames) => Frames.All(wanted => frames.Any(f =>
        (wanted.Modules.IsEmpty || (f.Module is not null && wanted.Modules.Contains(f.Module)))
        && (wanted.Functions.IsEmpty || (f.Function is not null && wanted.Functions.Contains(f.Function)))));

    private static (string? Module, string? Function) Normal(ReportedFrame frame) =>
        (frame.Module is { } module ? ModuleNames.Normal(module) : null,
            (frame.Function ?? frame.EnteredAs) is { } function ? FunctionNames.Normal(function) : null);
}
