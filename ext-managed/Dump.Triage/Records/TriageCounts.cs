using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Verdicts;

namespace Dump.Triage.Records;

/// <summary>How many dumps ended how.</summary>
public sealed record TriageCounts
{
    /// <summary>Dumps with a record.</summary>
    public int Records { get; init; }

    /// <summary>Those whose strongest verdict on a hang is confirmed.</summary>
    public int Confirmed { get; init; }

    /// <summary>Those whose strongest verdict on a hang is likely.</summary>
    public int Likely { get; init; }

    /// <summary>Those whose strongest verdict on a hang is suspected.</summary>
    public int Suspected { get; init; }

    /// <summary>Of the likely ones those in which some detectors had no data.</summary>
    public int LikelyLackingData { get; init; }

    /// <summary>Of the suspected ones those in which some detectors had no data.</summary>
    public int SuspectedLackingData { get; init; }

    /// <summary>Those of a crash without a verdict on a hang.</summary>
    public int Crashed { get; init; }

    /// <summary>Those of a crash that have a verdict on a hang as well, and are counted there.</summary>
    public int CrashedBeside { get; init; }

    /// <summary>Those in which nothing was found and data are missing.</summary>
    public int Undecidable { get; init; }

    /// <summary>Those in which nothing was found although the data to find it were there.</summary>
    public int NothingFound { get; init; }

    /// <summary>
    /// Places without a record that may hold dumps and could not be looked at: damaged or encrypted archives,
    /// files and folders without permission. Not among <see cref="Records"/>.
    /// </summary>
    public int NotLookedAt { get; init; }

    /// <summary>Those without a report.</summary>
    public int Failed => Records - Confirmed - Likely - Suspected - Crashed - Undecidable - NothingFound;

    /// <summary>Those with a verdict.</summary>
    public int WithVerdict => Confirmed + Likely + Suspected + Crashed;

    /// <summary>The counts of an overview.</summary>
    public static TriageCounts Of(TriageOverview overview)
    {
        if (overview.Counted is { } counted)
        {
            return new TriageCounts
            {
                Records = counted.Dumps,
                Confirmed = overview.With(Confidence.Confirmed),
                Likely = overview.With(Confidence.Likely),
                Suspected = overview.With(Confidence.Suspected),
                LikelyLackingData = counted.LikelyLackingData,
                SuspectedLackingData = counted.SuspectedLackingData,
                Crashed = overview.Crashed,
                CrashedBeside = counted.CrashedBeside,
                Undecidable = overview.Undecidable,
                NothingFound = overview.Sound,
                NotLookedAt = overview.PassedOver.Length,
            };
        }

        TriageRecord[] crashed = [.. overview.Records.Where(r => r.Report?.Verdicts.Any(v => v.DetectorId == DetectorIds.Crashed) == true)];
        ILookup<Confidence?, TriageRecord> verdicts = overview.Records.Where(r => r.Report is { Verdicts.IsEmpty: false })
            .ToLookup(r => r.Report!.StrongestHang);
        return new TriageCounts
        {
            Records = overview.Records.Length,
            Confirmed = verdicts[Confidence.Confirmed].Count(),
            Likely = verdicts[Confidence.Likely].Count(),
            Suspected = verdicts[Confidence.Suspected].Count(),
            LikelyLackingData = verdicts[Confidence.Likely].Count(r => !r.Report!.Unanswered.IsEmpty),
            SuspectedLackingData = verdicts[Confidence.Suspected].Count(r => !r.Report!.Unanswered.IsEmpty),
            Crashed = overview.Crashed,
            CrashedBeside = crashed.Length - overview.Crashed,
            Undecidable = overview.Undecidable,
            NothingFound = overview.Sound,
            NotLookedAt = overview.PassedOver.Length,
        };
    }

    /// <summary>The counts with one record more.</summary>
    internal TriageCounts With(RecordSummary record) => With(record, 1);

    /// <summary>The counts without a record that was counted.</summary>
    internal TriageCounts Without(RecordSummary record) => With(record, -1);

    private TriageCounts With(RecordSummary record, int one)
    {
        TriageCounts counts = this with { Records = Records + one };
        Confidence? strongest = VerdictRank.StrongestHang(record.Verdicts.Select(v => (v.Id, v.Confidence)));
        bool hasCrashed = record.Verdicts.Any(v => v.Id == DetectorIds.Crashed);
        int lacking = record.LacksData ? one : 0;
        if (record.Record.Outcome != TriageOutcome.Analysed)
        {
            return counts;
        }

        counts = hasCrashed && strongest is not null ? counts with { CrashedBeside = CrashedBeside + one } : counts;
        return strongest switch
        {
            Confidence.Confirmed => counts with { Confirmed = Confirmed + one },
            Confidence.Likely => counts with { Likely = Likely + one, LikelyLackingData = LikelyLackingData + lacking },
            Confidence.Suspected => counts with { Suspected = Suspected + one, SuspectedLackingData = SuspectedLackingData + lacking },
            _ when hasCrashed => counts with { Crashed = Crashed + one },
            _ when record.IsUndecidable => counts with { Undecidable = Undecidable + one },
            _ => counts with { NothingFound = NothingFound + one },
        };
    }
}
