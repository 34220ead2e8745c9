using System.Text.Json.Serialization;

namespace Dump.Capture.Windows.Recorded;

/// <summary>How recorded answers are written and read, made while this is compiled: a trimmed program has no reflection for it.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(RecordedAnswers))]
internal sealed partial class RecordedAnswersContext : JsonSerializerContext;
