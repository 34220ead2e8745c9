using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Globalization;
using System.Text.Json;
using Dump.Model.Text;

namespace Dump.Reports;

/// <summary>Reads fields of a stored report. A field that is missing or null is unknown; one of another type than documented means damage. Texts are cleaned, lists have limits.</summary>
internal static class JsonFields
{
    /// <summary>Most characters of one text.</summary>
    private const int LongestText = 16_384;

    /// <summary>Most characters of a name that is quoted.</summary>
    private const int LongestName = 100;

    /// <summary>The field, or null when it is missing or null.</summary>
    public static JsonElement? Field(this JsonElement parent, string name) =>
        parent.TryGetProperty(name, out JsonElement value) && value.ValueKind is not (JsonValueKind.Null or JsonValueKind.Undefined) ? value : null;

    /// <summary>An object, or null.</summary>
    public static JsonElement? Part(this JsonElement parent, string name) => Of(parent, name, JsonValueKind.Object, "an object");

    /// <summary>A text, or null.</summary>
    public static string? Text(this JsonElement parent, string name, bool keepsLines = false) =>
        Of(parent, name, JsonValueKind.String, "a text") is { } value ? Clean(value, name, keepsLines) : null;

    /// <summary>A flag; one that is missing or null is null.</summary>
    public static bool? Flag(this JsonElement parent, string name) => parent.Field(name) is not { } value ? null : value.ValueKind switch
    {
        JsonValueKind.True => true,
        JsonValueKind.False => false,
        _ => throw new InvalidReportException($"\"{name}\" is neither true nor false"),
    };

    /// <summary>A whole number, or null.</summary>
    public static long? Number(this JsonElement parent, string name) =>
        parent.Field(name) is not { } value ? null
        : value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out long number) ? number
        : throw new InvalidReportException($"\"{name}\" is not a whole number");

    /// <summary>A thread's or a process' id, or null.</summary>
    public static uint? Id(this JsonElement parent, string name) => parent.Number(name) is not { } number ? null
        : number is >= 0 and <= uint.MaxValue ? (uint)number
        : throw new InvalidReportException($"\"{name}\" is no id");

    /// <summary>An address or another 64-bit value, or null.</summary>
    public static ulong? Address(this JsonElement parent, string name) => parent.Text(name) is not { } text ? null
        : text.StartsWith("0x", StringComparison.Ordinal) && ulong.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong value) ? value
        : throw new InvalidReportException($"\"{name}\" is no hexadecimal number");

    /// <summary>A moment (UTC), or null.</summary>
    public static DateTime? Moment(this JsonElement parent, string name) => parent.Text(name) is not { } text ? null
        : DateTime.TryParseExact(text, "yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out DateTime moment) ? moment
        : throw new InvalidReportException($"\"{name}\" is no moment");

    /// <summary>One of an enumeration's names that decides over what is found. No other may stand in for it: one that is missing or that this version does not know makes the report unreadable.</summary>
    public static T Deciding<T>(this JsonElement parent, string name)
        where T : struct, Enum => parent.Text(name) is not { } text ? throw new InvalidReportException($"\"{name}\" is missing")
        : Names<T>.Values.TryGetValue(text, out T value) ? value
        : throw new InvalidReportException($"\"{name}\" is '{SafeText.Clean(text, LongestName)}', which this version does not know");

    /// <summary>One of an enumeration's names that only describes; what a newer version may have added, and what is missing, counts as the weakest.</summary>
    public static T Choice<T>(this JsonElement parent, string name, T weakest)
        where T : struct, Enum => parent.Text(name) is { } text && Names<T>.Values.TryGetValue(text, out T value) ? value : weakest;

    /// <summary>A list of objects; empty when it is missing.</summary>
    /// <param name="parent">What has it.</param>
    /// <param name="name">Its name.</param>
    /// <param name="most">Most entries; a list with more is refused.</param>
    /// <param name="read">Reads one.</param>
    public static ImmutableArray<T> List<T>(this JsonElement parent, string name, int most, Func<JsonElement, T> read) =>
        [.. Entries(parent, name, most).Select(e => e.ValueKind == JsonValueKind.Object ? read(e) : throw new InvalidReportException($"\"{name}\" has an entry that is no object"))];

    /// <summary>A list of texts; empty when it is missing.</summary>
    public static ImmutableArray<string> Texts(this JsonElement parent, string name, int most) =>
        [.. Entries(parent, name, most).Select(e => e.ValueKind == JsonValueKind.String ? Clean(e, name, false) : throw new InvalidReportException($"\"{name}\" has an entry that is no text"))];

    /// <summary>A list of thread ids; empty when it is missing.</summary>
    public static ImmutableArray<uint> Ids(this JsonElement parent, string name, int most) =>
        [.. Entries(parent, name, most).Select(e => e.ValueKind == JsonValueKind.Number && e.TryGetUInt32(out uint id) ? id : throw new InvalidReportException($"\"{name}\" has an entry that is no id"))];

    private static JsonElement[] Entries(JsonElement parent, string name, int most) => Of(parent, name, JsonValueKind.Array, "a list") is not { } list ? []
        : list.GetArrayLength() <= most ? [.. list.EnumerateArray()]
        : throw new InvalidReportException(string.Create(CultureInfo.InvariantCulture, $"\"{name}\" has more than {most} entries"));

    private static JsonElement? Of(JsonElement parent, string name, JsonValueKind kind, string words) =>
        parent.Field(name) is not { } value ? null : value.ValueKind == kind ? value : throw new InvalidReportException($"\"{name}\" is not {words}");

    private static string Clean(JsonElement value, string name, bool keepsLines)
    {
        try
        {
            return RecentTexts.Shared(SafeText.Clean(value.GetString(), LongestText, keepsLines));
        }
        catch (InvalidOperationException error)
        {
            // Half of a surrogate pair, or bytes that are not UTF-8.
            throw new InvalidReportException($"\"{name}\" is no valid text", error);
        }
    }

    private static class Names<T>
        where T : struct, Enum
    {
        public static FrozenDictionary<string, T> Values { get; } = Enum.GetNames<T>().ToFrozenDictionary(n => n, Enum.Parse<T>, StringComparer.Ordinal);
    }
}
