namespace Dump.Model.Merging;

/// <summary>Something that an overview does not cover although it might hold hangs: with one of these, nothing found is no all-clear.</summary>
/// <param name="Kind">Why.</param>
/// <param name="Path">Where: a path of the searched folders, a folder of records, or the name of a record's file (sanitised).</param>
/// <param name="Message">What, as a clause without a full stop (sanitised).</param>
public sealed record TriageGap(TriageGapKind Kind, string Path, string Message);
