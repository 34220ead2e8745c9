namespace Dump.Analysis.Detection;

/// <summary>What a detector is, for lists and help.</summary>
/// <param name="Id">Stable id <c>DUMP####</c>; never reused.</param>
/// <param name="Title">Short title that names the bad pattern.</param>
/// <param name="Summary">One sentence: what it finds.</param>
/// <param name="Needs">One clause: the data without which it cannot answer.</param>
public sealed record DetectorDescriptor(string Id, string Title, string Summary, string Needs);
