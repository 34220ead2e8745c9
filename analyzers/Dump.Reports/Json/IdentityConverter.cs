using System.Text.Json;
using System.Text.Json.Serialization;

namespace Dump.Reports.Json;

/// <summary>The identity of a resource: hexadecimal, and null for 0, which is none.</summary>
internal sealed class IdentityConverter : JsonConverter<ulong>
{
    private static readonly HexadecimalConverter s_number = new();

    /// <inheritdoc/>
    public override ulong Read(
        ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => s_number.Read(ref reader, typeToConvert, options);

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, ulong value, JsonSerializerOptions options)
    {
        if (value == 0)
        {
            writer.WriteNullValue();
        }
        else
        {
            s_number.Write(writer, value, options);
        }
    }
}
