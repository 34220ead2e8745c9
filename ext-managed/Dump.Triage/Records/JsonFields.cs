using System.Text.Json;

namespace Dump.Triage.Records;

/// <summary>Takes fields of JSON that anybody may have written: a field of another kind than expected is a missing one.</summary>
internal static class JsonFields
{
    /// <summary>A field of an object, or null.</summary>
    public static JsonElement? Field(this JsonElement element, string name) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out JsonElement value) && value.ValueKind != JsonValueKind.Null
            ? value
            : null;

    /// <summary>A text, or null.</summary>
    public static string? Text(this JsonElement element, string name) =>
        element.Field(name) is { ValueKind: JsonValueKind.String } value ? value.GetString() : null;

    /// <summary>A whole number, or null.</summary>
    public static long? Number(this JsonElement element, string name) =>
        element.Field(name) is { ValueKind: JsonValueKind.Number } value && value.TryGetInt64(out long number) ? number : null;

    /// <summary>True for a field that is true.</summary>
    public static bool IsTrue(this JsonElement element, string name) => element.Field(name) is { ValueKind: JsonValueKind.True };

    /// <summary>The elements of a list; none when it is missing.</summary>
    public static IEnumerable<JsonElement> List(this JsonElement element, string name) =>
        element.Field(name) is { ValueKind: JsonValueKind.Array } value ? value.EnumerateArray() : [];
}
