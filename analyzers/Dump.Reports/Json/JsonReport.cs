using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Dump.Model.Contract;
using Dump.Model.Reported;
using Dump.Model.Text;

namespace Dump.Reports.Json;

/// <summary>
/// Documents for programs. Schema: <c>docs/json-schema.json</c>. Addresses are hexadecimal strings, any field may be null, fields are only added.
/// </summary>
public static class JsonReport
{
    /// <summary>Writes a document as indented JSON in UTF-8.</summary>
    /// <param name="document">A record that <see cref="ReportJsonContext"/> knows.</param>
    /// <param name="output">Where to write; stays open.</param>
    public static void Write<T>(T document, Stream output)
    {
        using Utf8JsonWriter json = new(output, new JsonWriterOptions { Indented = true, NewLine = "\n" });
        JsonSerializer.Serialize(json, document, JsonContract.Of<T>());
    }
}

/// <summary>
/// Reads a stored <c>dump-report/1</c>, of this version or another one: fields that it does not know are passed over, fields
/// that are missing are unknown. A confidence or an outcome that this version does not know makes the report unreadable, for
/// nothing else may stand in for it; other names that a newer version added only describe, and count as unknown or as the
/// weakest. The file may come from anybody: every list has a limit and every text is cleaned (<see cref="StoredJson"/>).
/// </summary>
public static class JsonReportReader
{
    /// <summary>Reads a document.</summary>
    /// <param name="document">UTF-8 text, with or without byte order mark.</param>
    /// <exception cref="InvalidReportException">It is no such report, or a damaged one.</exception>
    public static HangReport Read(ReadOnlyMemory<byte> document) => Read(document.Span);

    /// <summary>Reads a report that is part of another document.</summary>
    /// <param name="report">The report.</param>
    /// <exception cref="InvalidReportException">It is no such report, or a damaged one.</exception>
    public static HangReport Read(JsonElement report) => Read(JsonMarshal.GetRawUtf8Value(report));

    private static HangReport Read(ReadOnlySpan<byte> document)
    {
        HangReport report = StoredJson.Read<HangReport>(document, SchemaNames.Report);
        return report.Verdicts.IsEmpty && !report.Unanswered.IsEmpty ? report with { IsUndecidable = true } : report;
    }
}

/// <summary>Reads documents that may come from anybody. What is wrong with one is said in one clause.</summary>
internal static class StoredJson
{
    /// <summary>Most bytes of a document.</summary>
    private const int LongestDocument = 256 * 1024 * 1024;

    /// <summary>Reads a document.</summary>
    /// <param name="document">UTF-8 text, with or without byte order mark.</param>
    /// <param name="schema">Name and version that it must have.</param>
    /// <exception cref="InvalidReportException">It is no such document, or a damaged one.</exception>
    public static T Read<T>(ReadOnlySpan<byte> document, string schema)
    {
        if (document.Length > LongestDocument)
        {
            throw new InvalidReportException($"it is longer than {LongestDocument} bytes");
        }

        try
        {
            ReadOnlySpan<byte> mark = [0xEF, 0xBB, 0xBF];
            (ReadOnlyMemory<byte> cleaned, string? name) = JsonCleaning.Clean(document.StartsWith(mark) ? document[mark.Length..] : document);
            return name == schema ? Parse<T>(cleaned) : throw new InvalidReportException($"it is no {schema}");
        }
        catch (JsonException error)
        {
            throw new InvalidReportException($"it is not JSON: {SafeText.Clean(error.Message, 200)}", error);
        }
    }

    private static T Parse<T>(ReadOnlyMemory<byte> cleaned)
    {
        JsonTypeInfo<T> type = JsonContract.Of<T>();
        try
        {
            return JsonSerializer.Deserialize(cleaned.Span, type) ?? throw new InvalidReportException("it says nothing");
        }
        catch (DamagedFieldException error)
        {
            throw new InvalidReportException($"{Field(error)} {error.Message}", error);
        }
        catch (JsonException error)
        {
            using JsonDocument json = JsonDocument.Parse(cleaned, new JsonDocumentOptions { MaxDepth = JsonContract.DeepestNesting });
            throw new InvalidReportException(Missing(json.RootElement, type, "it has no") ?? $"{Field(error)} is of another type than documented", error);
        }
    }

    /// <summary>The first field that must be there and is not, in words; null when all are.</summary>
    private static string? Missing(JsonElement value, JsonTypeInfo type, string? words = null) => (value.ValueKind, type.Kind) switch
    {
        (JsonValueKind.Object, JsonTypeInfoKind.Object) =>
            type.Properties.Where(p => p.IsRequired && !value.TryGetProperty(p.Name, out _))
                .Select(p => words is null ? $"\"{p.Name}\" is missing" : $"{words} \"{p.Name}\"").FirstOrDefault()
                ?? type.Properties.Where(p => value.TryGetProperty(p.Name, out _))
                    .Select(p => Missing(value.GetProperty(p.Name), JsonContract.Options.GetTypeInfo(p.PropertyType))).FirstOrDefault(m => m is not null),
        (JsonValueKind.Array, JsonTypeInfoKind.Enumerable) =>
            value.EnumerateArray().Select(v => Missing(v, JsonContract.Options.GetTypeInfo(type.ElementType!))).FirstOrDefault(m => m is not null),
        _ => null,
    };

    /// <summary>The field that an error is about, in quotation marks.</summary>
    private static string Field(JsonException error)
    {
        string path = error.Path ?? "";
        string name = path[(path.LastIndexOf('.') + 1)..];
        return $"\"{SafeText.Clean(name.Split('[')[0], 100)}\"";
    }
}

/// <summary>A stored report is not one of this tool's, or it is damaged.</summary>
/// <param name="message">What is wrong, and where.</param>
/// <param name="inner">The cause, or null.</param>
public sealed class InvalidReportException(string message, Exception? inner = null) : Exception(message, inner);
