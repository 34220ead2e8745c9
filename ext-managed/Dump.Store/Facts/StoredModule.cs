namespace Dump.Store.Facts;

/// <summary>A module in one of its versions, as the tables keep it once for all dumps.</summary>
/// <param name="Name">File name in lower case.</param>
/// <param name="Version">File version, or empty when unknown.</param>
/// <param name="Build">Time stamp and size as a symbol server names it, or empty when unknown.</param>
/// <param name="Vendor">Who made it, or empty when unknown.</param>
/// <param name="System"><c>yes</c> for a part of the operating system, <c>no</c> for others, empty when it cannot be told.</param>
internal sealed record StoredModule(string Name, string Version, string Build, string Vendor, string System);
