using System.Text.Json;
using System.Text.Json.Serialization;
using Dump.Model.Text;

namespace Dump.Clr.Wine;

/// <summary>Reads text as untrusted.</summary>
internal sealed class CleanTextConverter : JsonConverter<string>
{
    private const int LongestText = 4_096;

    public override string? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.GetString() is { } text ? SafeText.Clean(text, LongestText) : null;

    public override void Write(Utf8JsonWriter writer, string value, JsonSerializerOptions options) => writer.WriteStringValue(value);
}
