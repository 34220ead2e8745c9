namespace Dump.Reports.Merging;

/// <summary>A detector as SARIF names it.</summary>
/// <param name="Id">Stable id, <c>DUMP####</c>.</param>
/// <param name="Title">Short title.</param>
/// <param name="Summary">One sentence: what it finds.</param>
public sealed record SarifRule(string Id, string Title, string Summary);
