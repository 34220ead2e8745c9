using System.Text.Json;

namespace Dump.Testing;

/// <summary>Members of JSON documents, whose absence says which it was and shows the document.</summary>
public static class JsonMembers
{
    private const int MostShown = 20_000;

    /// <summary>A member of an object.</summary>
    /// <exception cref="KeyNotFoundException">It has none of that name, or is no object.</exception>
    public static JsonElement Member(this JsonElement element, string name)
    {
        if (element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out JsonElement value))
        {
            return value;
        }

        throw new KeyNotFoundException($"There is no member \"{name}\" in: {element.Shown()}");
    }

    /// <summary>The document as a failed test shows it, cut off where it is long.</summary>
    public static string Shown(this JsonElement element)
    {
        string text = element.ValueKind == JsonValueKind.Undefined ? "nothing" : element.GetRawText();
        return text.Length > MostShown ? text[..MostShown] + "..." : text;
    }
}
