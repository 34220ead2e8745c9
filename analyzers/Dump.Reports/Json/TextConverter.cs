using System.Text.Json;
using System.Text.Json.Serialization;

namespace Dump.Reports.Json;

/// <summary>Texts. Those that are read have been cleaned before (<see cref="StoredJson"/>).</summary>
internal sealed class TextConverter : JsonConverter<string>
{
    /// <inheritdoc/>
    public override string Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.String ? RecentTexts.Shared(reader.GetString()!) : throw new DamagedFieldException("is not a text");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, string value, JsonSerializerOptions options) => writer.WriteStringValue(value);
}
