namespace Dump.Store.Overviews;

/// <summary>A bucket as the tables count it.</summary>
/// <param name="Hash">Hash of the class.</param>
/// <param name="Kind"><c>Verdict</c>, or <c>Stack</c> for dumps without one.</param>
/// <param name="Detector">Id of the detector, or null without a verdict.</param>
/// <param name="Title">Title of the verdict, or else the class in words, in one line.</param>
/// <param name="Dumps">How many dumps.</param>
/// <param name="First">Capture of the first (UTC), or null when unknown.</param>
/// <param name="Last">Capture of the last (UTC), or null when unknown.</param>
internal sealed record CountedBucket(string Hash, string Kind, string? Detector, string Title, int Dumps, DateTime? First, DateTime? Last);
