using System.Text.Json.Serialization;

namespace Dump.Model.Process;

/// <summary>The first of two dumps of one process.</summary>
/// <param name="DisplayName">File name or process, for people.</param>
/// <param name="Captured">When its data were captured (UTC, whole seconds), or null.</param>
public sealed record EarlierSource([property: JsonRequired, JsonPropertyName("name")] string DisplayName, DateTime? Captured);
