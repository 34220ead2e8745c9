using System.Globalization;
using System.Text.Json;

namespace Dump.Readers.Minidump;

/// <summary>Prints every stream of a minidump as JSON: an object with an array for each stream. 64-bit values are hexadecimal strings.</summary>
public static class MinidumpJson
{
    private const int FlushSize = 64 * 1024;

    /// <summary>Writes the document; the stream stays open.</summary>
    public static void Write(MinidumpFile dump, Stream output)
    {
        using Utf8JsonWriter json = new(output, new JsonWriterOptions { Indented = true, NewLine = "\n" });
        json.WriteStartObject();
        json.WriteString("schema", "dump-raw/1");
        foreach ((string section, IEnumerable<IReadOnlyList<(string Name, object? Value)>> rows) in MinidumpRows.Of(dump))
        {
            json.WriteStartArray(section);
            foreach (IReadOnlyList<(string Name, object? Value)> row in rows)
            {
                json.WriteStartObject();
                foreach ((string name, object? value) in row)
                {
                    json.WritePropertyName(name);
                    WriteValue(json, value);
                }

                json.WriteEndObject();
                if (json.BytesPending > FlushSize)
                {
                    json.Flush();
                }
            }

            json.WriteEndArray();
        }

        json.WriteEndObject();
    }

    private static void WriteValue(Utf8JsonWriter json, object? value)
    {
        switch (value)
        {
            case null:
                json.WriteNullValue();
                break;
            case ulong number:
                json.WriteStringValue($"0x{number:x}");
                break;
            case bool flag:
                json.WriteBooleanValue(flag);
                break;
            case int or uint or ushort or byte or long:
                json.WriteNumberValue(Convert.ToInt64(value, CultureInfo.InvariantCulture));
                break;
            default:
                json.WriteStringValue(value.ToString());
                break;
        }
    }
}
