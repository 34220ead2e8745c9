using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Model.Reported;

/// <summary>Where the data of a report come from.</summary>
/// <param name="DisplayName">File name or process, for people.</param>
/// <param name="Kind">One phrase: <c>Windows minidump, full memory</c>.</param>
/// <param name="FileSize">Size in bytes, or null for a live process.</param>
/// <param name="Captured">When the data were captured (UTC, whole seconds), or null.</param>
/// <param name="Comment">The writer's own words with their line feeds, cleaned, or null.</param>
public sealed record ReportedSource(
    string DisplayName,
    string Kind,
    [property: JsonPropertyName("size"), JsonPropertyOrder(2)] long? FileSize,
    [property: JsonPropertyOrder(3)] DateTime? Captured,
    [property: JsonPropertyOrder(4)] string? Comment)
{
    /// <summary>File name or process, for people.</summary>
    [JsonPropertyName("name"), JsonPropertyOrder(0)]
    public string DisplayName { get; init => field = value ?? ""; } = DisplayName ?? "";

    /// <summary>One phrase: <c>Windows minidump, full memory</c>.</summary>
    [JsonPropertyOrder(1)]
    public string Kind { get; init => field = value ?? ""; } = Kind ?? "";

    /// <summary>The first of two dumps of the process, where the report is on the second; absent for one.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(5)]
    public EarlierSource? Earlier { get; init; }

    /// <summary>
    /// How the managed half was read, where another process under Wine or the installed .NET Framework did that, or what DbgShim says of the runtimes; else
    /// absent.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(6)]
    public string? ManagedHalf { get; init; }

    /// <summary>File names of the PDB files that names come from; absent when none was used.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(7)]
    public ImmutableArray<string> Symbols { get; init => field = value.OrEmpty(); } = [];
}
