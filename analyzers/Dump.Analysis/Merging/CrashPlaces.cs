using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis.Names;
using Dump.Model.Merging;
using Dump.Model.Process;
using Dump.Model.Reported;

namespace Dump.Analysis.Merging;

/// <summary>
/// Puts dumps of one crash together that were written in different ways. A small dump has the instruction at which a program failed, but neither names nor
/// callers; one in full has them. The same exception at the same instruction of the same build is the same crash.
/// </summary>
internal static class CrashPlaces
{
    /// <summary>The place of a crash, or null: see <see cref="HangSignature.CrashPlace"/>.</summary>
    /// <param name="verdict">A verdict of the report.</param>
    /// <param name="report">The report.</param>
    public static string? Of(ReportedVerdict verdict, HangReport report)
    {
        if (verdict is not { Failure: { } failure, Stacks: [{ Frames: [{ Module: { } name, ModuleOffset: { } offset, Trust: FrameTrust.Context }, ..] }, ..] }
            || report.Modules.FirstOrDefault(m => m.Name.Equals(name, StringComparison.OrdinalIgnoreCase)) is not { Build: not null } module
            || ModuleNames.IsPlatform(ModuleNames.Normal(name), module.IsSystem == true))
        {
            return null;
        }

        return string.Create(CultureInfo.InvariantCulture, $"{failure} at {name.ToLowerInvariant()}+0x{offset:x}, {HangSignatures.Build(module)}");
    }

    /// <summary>
    /// The records, those that name no function with the signature of those that do and crashed at the same place, where there is exactly one such signature.
    /// </summary>
    public static (TriageRecord Record, HangSignature Signature)[] Joined((TriageRecord Record, HangSignature Signature)[] signed)
    {
        ImmutableDictionary<string, HangSignature> named = signed.Where(s => s.Signature is { CrashPlace: not null, NamesFunction: true })
            .GroupBy(s => s.Signature.CrashPlace!, StringComparer.Ordinal)
            .Where(g => g.DistinctBy(s => s.Signature.ClassHash).Count() == 1)
            .ToImmutableDictionary(g => g.Key, g => g.OrderBy(s => s.Signature.InstanceHash, StringComparer.Ordinal).First().Signature, StringComparer.Ordinal);
        return [.. signed.Select(s => s.Signature is { CrashPlace: { } place, NamesFunction: false } && named.TryGetValue(place, out HangSignature? known)
            ? (s.Record, known) : s)];
    }
}
