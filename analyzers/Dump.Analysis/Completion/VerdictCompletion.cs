using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Wording;

namespace Dump.Analysis.Completion;

/// <summary>
/// Adds to a verdict what is said of every verdict alike: whose the blamed module is, where to read the code, which windows hang for it, which COM apartments
/// take no calls, and what was loaded into the process from outside.
/// </summary>
internal static class VerdictCompletion
{
    /// <summary>Completes it. Neither confidence nor threads change.</summary>
    public static Verdict Complete(AnalysisContext context, DetectorDescriptor detector, Verdict verdict)
    {
        Verdict blaming = verdict with
        {
            Culprit = (verdict.Culprit ?? UiVictims.Culprit(context, verdict)) is { } culprit ? Describe(context.Snapshot, culprit) : null,
        };
        return blaming with
        {
            Stacks = [.. verdict.Stacks.Select(s => WithSuspension(context, s))],
            LookAt = detector.StandsApart ? verdict.LookAt : CodePlaces.Of(context, blaming),
            ProgramChain = ProgramChains.Of(context, verdict),
            Claims =
            [
                .. verdict.Claims,
                .. UiVictims.Claims(context, detector, verdict),
                .. ClosedApartments.Claims(context, verdict),
                .. InjectedModules.Claims(context, verdict),
            ],
        };
    }

    /// <summary>That somebody has suspended a thread stands beside its stack, whatever the verdict is about.</summary>
    private static StackExcerpt WithSuspension(AnalysisContext context, StackExcerpt stack) =>
        SuspensionWords.Of(context.Thread(stack.ThreadId)?.SuspendedAbove) is { } words ? stack with { Role = $"{stack.Role}; {words}" } : stack;

    /// <summary>Modules of one name need not be one file; where they differ nothing is said.</summary>
    private static Culprit Describe(ProcessSnapshot snapshot, Culprit culprit)
    {
        ImmutableArray<ModuleSnapshot> named = [.. snapshot.Modules.Where(m => m.Name.Equals(culprit.Module, StringComparison.OrdinalIgnoreCase))];
        return named.IsEmpty || named.Any(m => m.Version != named[0].Version || m.Vendor != named[0].Vendor) ? culprit
            : culprit with { Version = named[0].Version, Vendor = named[0].Vendor };
    }
}
