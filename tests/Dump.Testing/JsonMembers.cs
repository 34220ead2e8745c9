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

        string text = element.ValueKind == JsonValueKind.Undefined ? "nothing" : element.GetRawText();
        throw new KeyNotFoundException($"There is no member \"{name}\" in: {(text.Length > MostShown ? text[..MostShown] + "..." : text)}");
    }
}
