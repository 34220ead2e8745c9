using System.Text.Json.Serialization;

namespace Dump.Model.Reported;

/// <summary>A module of the process, without what differs from run to run.</summary>
/// <param name="Name">File name without directory.</param>
/// <param name="Version">File version such as <c>10.0.19041.1</c>, or null when unknown.</param>
/// <param name="Vendor">Who made it, or null when unknown.</param>
/// <param name="IsSystem">True for modules of the operating system itself, false for others, null when it cannot be told.</param>
public sealed record ReportedModule(
    [property: JsonRequired] string Name,
    string? Version,
    string? Vendor,
    [property: JsonPropertyName("system")] bool? IsSystem)
{
    /// <summary>
    /// Which build it is, as a symbol server names an image: its link time stamp in 8 hexadecimal digits and
    /// its size in hexadecimal, such as <c>5F3A1B2C1A000</c>. Null when unknown.
    /// </summary>
    public string? Build { get; init; }
}
