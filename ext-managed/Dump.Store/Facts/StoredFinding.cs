namespace Dump.Store.Facts;

/// <summary>A verdict on a dump, as the tables keep it.</summary>
/// <param name="Detector">Id of the detector.</param>
/// <param name="Title">What it found.</param>
/// <param name="Confidence"><c>Confirmed</c>, <c>Likely</c> or <c>Suspected</c>.</param>
internal sealed record StoredFinding(string Detector, string Title, string Confidence);
