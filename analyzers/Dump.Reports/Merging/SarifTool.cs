namespace Dump.Reports.Merging;

/// <summary>The program as SARIF names it.</summary>
/// <param name="Version">Version of this program, for example <c>0.1.0</c>.</param>
/// <param name="Rules">Its detectors. Those of an overview that are not among them are added.</param>
/// <param name="Documentation">Address of the folder <c>docs</c>, with a slash at its end, or null where it is published nowhere.</param>
public sealed record SarifTool(string Version, IReadOnlyList<SarifRule> Rules, Uri? Documentation);
