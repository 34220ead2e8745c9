using System.Text.Json;
using System.Text.Json.Serialization;
using Dump.Model.Reported;

namespace Dump.Reports.Json;

/// <summary>The documents that are written as JSON, by their records.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(ProcessReport))]
[JsonSerializable(typeof(HangReport))]
internal sealed partial class ReportJsonContext : JsonSerializerContext;
