using System.Text.Json;
using System.Text.Json.Serialization;
using Dump.Model.Reported;

namespace Dump.Reports.Json;

/// <summary>The documents that are written as JSON, by their records.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(ProcessReport))]
[JsonSerializable(typeof(HangReport))]
[JsonSerializable(typeof(ChainDocument))]
[JsonSerializable(typeof(LockDocument))]
[JsonSerializable(typeof(TaskDocument))]
[JsonSerializable(typeof(RequestDocument))]
[JsonSerializable(typeof(StackTreeDocument))]
[JsonSerializable(typeof(CollectionDocument))]
[JsonSerializable(typeof(ObjectDocument))]
[JsonSerializable(typeof(StackObjectDocument))]
internal sealed partial class ReportJsonContext : JsonSerializerContext;
