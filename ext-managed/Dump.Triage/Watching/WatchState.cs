using Dump.Triage.Records;

namespace Dump.Triage.Watching;

/// <summary>What a watch has done since it began.</summary>
/// <param name="Counts">How its dumps ended, those with an earlier record counted too.</param>
/// <param name="Kept">Dumps that had a record when it began.</param>
/// <param name="Buckets">Classes of hangs and crashes among them.</param>
/// <param name="Waiting">Files that are not at rest.</param>
/// <param name="Notices">Buckets that were told of.</param>
/// <param name="FailedNotices">Attempts to tell of one that failed.</param>
/// <param name="PendingNotices">Buckets that are still to be told of.</param>
/// <param name="PrunedFiles">Dumps that were deleted.</param>
/// <param name="PrunedBytes">Their bytes.</param>
/// <param name="LastRecord">When the last record was made (UTC), or null.</param>
public sealed record WatchState(TriageCounts Counts, int Kept, int Buckets, int Waiting, int Notices, int FailedNotices, int PendingNotices, long PrunedFiles,
    long PrunedBytes, DateTime? LastRecord);
