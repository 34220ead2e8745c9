namespace Dump.Store.Facts;

/// <summary>What dumps of the same hang have in common, as the tables keep it once for all of them.</summary>
/// <param name="Hash">Hash of the class.</param>
/// <param name="Kind"><c>Verdict</c>, or <c>Stack</c> for dumps without one.</param>
/// <param name="Text">The class in words, one line a part.</param>
/// <param name="Detector">Id of the detector, or null without a verdict.</param>
/// <param name="Title">Title of the verdict, or null without one.</param>
internal sealed record StoredBucket(string Hash, string Kind, string Text, string? Detector, string? Title);
