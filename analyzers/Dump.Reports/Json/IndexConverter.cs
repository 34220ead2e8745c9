using System.Text.Json;
using System.Text.Json.Serialization;

namespace Dump.Reports.Json;

/// <summary>Places in lists: never negative.</summary>
internal sealed class IndexConverter : JsonConverter<int>
{
    /// <inheritdoc/>
    public override int Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.Number && reader.TryGetInt32(out int value) && value >= 0
            ? value
            : throw new DamagedFieldException("is no place in a list");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, int value, JsonSerializerOptions options) => writer.WriteNumberValue(value);
}
