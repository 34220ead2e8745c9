using System.Buffers;
using System.Collections.Frozen;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Dump.Model.Text;

namespace Dump.Reports.Json;

/// <summary>
/// What every stored document goes through before a record is made of it: lists beyond their limits are refused, texts are cleaned and cut, and fields that are
/// null are left out, so that they count as missing.
/// </summary>
internal static class JsonCleaning
{
    /// <summary>Most characters of one text.</summary>
    private const int LongestText = 16_384;

    private const int MostEntries = 10_000;
    private const int MostOfMany = 200_000;

    // Lists that grow with the process; none of the others is longer than what somebody wrote or reads.
    private static readonly FrozenSet<string> s_many = FrozenSet.Create(
        StringComparer.Ordinal, "threads", "frames", "emulationFrames", "waits", "ownerships", "modules", "problems", "victims");

    /// <summary>Cleans a document.</summary>
    /// <param name="document">UTF-8 text without byte order mark.</param>
    /// <returns>The document again, and what its field <c>schema</c> says; null where it says nothing.</returns>
    /// <exception cref="JsonException">It is not JSON.</exception>
    /// <exception cref="InvalidReportException">It is beyond a limit, or has a text that is none.</exception>
    public static (ReadOnlyMemory<byte> Cleaned, string? Schema) Clean(ReadOnlySpan<byte> document)
    {
        ArrayBufferWriter<byte> cleaned = new(document.Length + 1);
        using Utf8JsonWriter writer = new(cleaned, new JsonWriterOptions { SkipValidation = true });
        Utf8JsonReader reader = new(document, new JsonReaderOptions { MaxDepth = JsonContract.DeepestNesting });
        string? schema = null, name = null;
        Stack<(string Name, int Left)?> open = new();
        while (reader.Read())
        {
            if (reader.TokenType == JsonTokenType.PropertyName)
            {
                name = Text(ref reader, "a field's name");
                continue;
            }

            if (reader.TokenType is JsonTokenType.EndArray or JsonTokenType.EndObject)
            {
                open.Pop();
                End(ref reader, writer);
                continue;
            }

            bool isEntry = open.TryPeek(out (string Name, int Left)? list) && list is not null;
            if (isEntry)
            {
                open.Pop();
                open.Push(Counted(list!.Value, reader.TokenType));
            }
            else if (reader.TokenType == JsonTokenType.Null && open.Count > 0)
            {
                continue;
            }
            else if (open.Count > 0)
            {
                writer.WritePropertyName(name!);
            }

            string of = isEntry ? list!.Value.Name : name ?? "";
            if (reader.TokenType is JsonTokenType.StartArray or JsonTokenType.StartObject)
            {
                open.Push(reader.TokenType == JsonTokenType.StartObject ? null : (of, s_many.Contains(of) ? MostOfMany : MostEntries));
            }
            else if (reader.TokenType == JsonTokenType.String && open.Count == 1 && name == "schema")
            {
                schema = Text(ref reader, of);
            }

            Value(ref reader, writer, of);
        }

        writer.Flush();
        return (cleaned.WrittenMemory, schema);
    }

    private static (string Name, int Left) Counted((string Name, int Left) list, JsonTokenType entry) =>
        entry == JsonTokenType.Null ? throw new InvalidReportException($"\"{list.Name}\" has an entry that is null")
        : list.Left > 0 ? (list.Name, list.Left - 1)
        : throw new InvalidReportException(string.Create(CultureInfo.InvariantCulture,
            $"\"{list.Name}\" has more than {(s_many.Contains(list.Name) ? MostOfMany : MostEntries)} entries"));

    private static void Value(ref Utf8JsonReader reader, Utf8JsonWriter writer, string name)
    {
        switch (reader.TokenType)
        {
            case JsonTokenType.StartObject:
                writer.WriteStartObject();
                break;
            case JsonTokenType.StartArray:
                writer.WriteStartArray();
                break;
            case JsonTokenType.String when !reader.ValueIsEscaped && reader.ValueSpan.Length <= LongestText
                && !reader.ValueSpan.ContainsAnyExceptInRange((byte)' ', (byte)'~'):
                writer.WriteStringValue(reader.ValueSpan);
                break;
            case JsonTokenType.String:
                writer.WriteStringValue(SafeText.Clean(Text(ref reader, name), LongestText, allowLineBreaks: name == "comment"));
                break;
            default:
                writer.WriteRawValue(reader.ValueSpan, skipInputValidation: true);
                break;
        }
    }

    private static void End(ref Utf8JsonReader reader, Utf8JsonWriter writer)
    {
        if (reader.TokenType == JsonTokenType.EndObject)
        {
            writer.WriteEndObject();
        }
        else
        {
            writer.WriteEndArray();
        }
    }

    private static string Text(ref Utf8JsonReader reader, string name)
    {
        try
        {
            return RecentTexts.Shared(reader.GetString()!);
        }
        catch (InvalidOperationException error)
        {
            // Half of a surrogate pair, or bytes that are not UTF-8.
            throw new InvalidReportException($"\"{SafeText.Clean(name, 100)}\" is no valid text", error);
        }
    }
}
