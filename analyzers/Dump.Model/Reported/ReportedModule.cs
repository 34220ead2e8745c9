namespace Dump.Model.Reported;

/// <summary>A module of the process, without what differs from run to run.</summary>
/// <param name="Name">File name without directory.</param>
/// <param name="Version">File version such as <c>10.0.19041.1</c>, or null when unknown.</param>
/// <param name="Vendor">Who made it, or null when unknown.</param>
/// <param name="IsSystem">True for modules of the operating system itself, false for others, null when it cannot be told.</param>
public sealed record ReportedModule(string Name, string? Version, string? Vendor, bool? IsSystem);
