using Dump.Model.Reported;

namespace Dump.Analysis.Merging;

/// <summary>
/// Of which dumps one is as good as another, so that one may be thrown away: they have the same class, and on each thread of the verdict the same functions of
/// the
/// program. A class has a few functions of each thread, enough to look at dumps together and too little to delete one.
/// </summary>
/// <param name="ClassHash">The hash of the class.</param>
/// <param name="ProgramChain">
/// The hash of the program's functions on each thread of the verdict; null where they are not known whole, and without a verdict. Then nothing is known to be
/// the same.
/// </param>
public sealed record HangSameness(string ClassHash, string? ProgramChain)
{
    /// <summary>What a report says of it; null when it has no signature.</summary>
    /// <param name="report">The report.</param>
    public static HangSameness? Of(HangReport report) =>
        HangSignatures.Of(report) is { } signature ? new HangSameness(signature.ClassHash, HangSignatures.FirstVerdict(report)?.ProgramChain) : null;

    /// <summary>True where both are known to be the same.</summary>
    /// <param name="other">The other.</param>
    public bool IsKnownSame(HangSameness other) => ProgramChain is not null && this == other;
}
