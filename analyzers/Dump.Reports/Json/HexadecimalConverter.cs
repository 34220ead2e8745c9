using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Dump.Reports.Json;

/// <summary>Addresses and other 64-bit values as <c>"0x7ffe0300"</c>: JSON numbers lose bits above 2^53.</summary>
internal sealed class HexadecimalConverter : JsonConverter<ulong>
{
    /// <summary>What such a text looks like.</summary>
    public const string Pattern = "^0x[0-9a-f]{1,16}$";

    /// <inheritdoc/>
    public override ulong Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.String && reader.GetString() is { } text && text.StartsWith("0x", StringComparison.Ordinal)
            && ulong.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong value)
            ? value
            : throw new DamagedFieldException("is no hexadecimal number");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, ulong value, JsonSerializerOptions options) => writer.WriteStringValue($"0x{value:x}");
}
