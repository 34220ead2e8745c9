using System.Globalization;
using System.Text.Json;
using Dump.Model.Contract;

namespace Dump.Readers.Minidump;

/// <summary>Prints every stream of a minidump as JSON: an object with an array for each stream. 64-bit values are hexadecimal strings.</summary>
public static class MinidumpJson
{
    /// <summary>Most entries of <c>unloadedModules</c>: Windows keeps 64, Wine writes 65,536 empty ones.</summary>
    public const int MaxUnloadedModules = 4_096;

    private const int FlushSize = 64 * 1024;

    /// <summary>Writes the document; the stream stays open.</summary>
    public static void Write(MinidumpFile dump, Stream output)
    {
        using Utf8JsonWriter json = new(output, new JsonWriterOptions { Indented = true, NewLine = "\n" });
        json.WriteStartObject();
        json.WriteString("schema", SchemaNames.Raw);
        foreach ((string section, IEnumerable<IReadOnlyList<(string Name, object? Value)>> rows) in MinidumpRows.Of(dump))
        {
            json.WriteStartArray(section);
            foreach (IReadOnlyList<(string Name, object? Value)> row in section == MinidumpRows.UnloadedModules ? rows.Take(MaxUnloadedModules) : rows)
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

        // The number of all entries, so that a list that ends at the limit cannot pass for a complete one.
        json.WritePropertyName("unloadedModuleCount");
        WriteValue(json, dump.UnloadedModules?.Count);
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
            case BitPattern pattern:
                json.WriteNumberValue(pattern.Value);
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
