using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Dump.Model.Text;

namespace Dump.Reports.Json;

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
