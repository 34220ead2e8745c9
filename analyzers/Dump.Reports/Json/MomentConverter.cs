using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Dump.Reports.Json;

/// <summary>Moments in UTC and whole seconds.</summary>
internal sealed class MomentConverter : JsonConverter<DateTime>
{
    /// <summary>What such a text looks like.</summary>
    public const string Pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$";

    private const string Format = "yyyy-MM-dd'T'HH:mm:ss'Z'";

    /// <inheritdoc/>
    public override DateTime Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.String
            && DateTime.TryParseExact(reader.GetString(), Format, CultureInfo.InvariantCulture,
                DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out DateTime moment)
            ? moment
            : throw new DamagedFieldException("is no moment");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, DateTime value, JsonSerializerOptions options) =>
        writer.WriteStringValue(value.ToString(Format, CultureInfo.InvariantCulture));
}
