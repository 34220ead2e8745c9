using System.Text.Json;
using Dump.Model;

namespace Dump.Analysis.Knowledge;

/// <summary>Reads a list of known modules; everything that is not as documented is an error that names its entry.</summary>
internal static class KnownModulesJson
{
    private const string Schema = "known-modules/1";
    private const int MostEntries = 10_000;
    private const int MostCharacters = 4 * 1024 * 1024;
    private const int LongestText = 255;
    private static readonly string[] s_fields = ["file", "category", "vendor", "source"];
    private static readonly string[] s_categories = [.. Enum.GetNames<KnownModuleCategory>().Select(n => n.ToLowerInvariant())];

    /// <summary>Reads it.</summary>
    /// <exception cref="InvalidKnownModulesException">It is no such list.</exception>
    public static IReadOnlyList<KnownModule> Read(string text)
    {
        if (text.Length > MostCharacters)
        {
            throw new InvalidKnownModulesException($"it is longer than {MostCharacters} characters");
        }

        using JsonDocument document = Parse(text);
        JsonElement root = document.RootElement;
        if (root.ValueKind != JsonValueKind.Object || !root.TryGetProperty("schema", out JsonElement schema) || schema.ValueKind != JsonValueKind.String || schema.GetString() != Schema)
        {
            throw new InvalidKnownModulesException($"it does not begin with \"schema\": \"{Schema}\"");
        }

        if (root.EnumerateObject().Select(p => p.Name).FirstOrDefault(n => n is not ("schema" or "modules")) is { } extra)
        {
            throw new InvalidKnownModulesException($"it has an unknown field {Quote(extra)}");
        }

        if (!root.TryGetProperty("modules", out JsonElement modules) || modules.ValueKind != JsonValueKind.Array || modules.GetArrayLength() > MostEntries)
        {
            throw new InvalidKnownModulesException($"\"modules\" is not an array of at most {MostEntries} entries");
        }

        KnownModule[] read = [.. modules.EnumerateArray().Select(Entry)];
        return read.GroupBy(m => m.File).FirstOrDefault(g => g.Count() > 1)?.Key is { } twice
            ? throw new InvalidKnownModulesException($"{Quote(twice)} stands there twice")
            : read;
    }

    private static JsonDocument Parse(string text)
    {
        try
        {
            return JsonDocument.Parse(text, new JsonDocumentOptions { MaxDepth = 8, AllowDuplicateProperties = false });
        }
        catch (JsonException error)
        {
            throw new InvalidKnownModulesException($"it is not JSON: {SafeText.Clean(error.Message, LongestText)}");
        }
    }

    private static KnownModule Entry(JsonElement entry, int index)
    {
        string where = $"entry {index + 1}";
        if (entry.ValueKind != JsonValueKind.Object)
        {
            throw new InvalidKnownModulesException($"{where} is not an object");
        }

        if (entry.EnumerateObject().Select(p => p.Name).FirstOrDefault(n => !s_fields.Contains(n)) is { } extra)
        {
            throw new InvalidKnownModulesException($"{where} has an unknown field {Quote(extra)}");
        }

        string file = Text(entry, "file", where).ToLowerInvariant();
        if (file.AsSpan().ContainsAny("\\/:*?\"<>|") || file.LastIndexOf('.') is var dot && (dot <= 0 || dot == file.Length - 1))
        {
            throw new InvalidKnownModulesException($"{where}: {Quote(file)} is not a file name with an extension and without directory or wildcard");
        }

        string category = Text(entry, "category", where);
        return s_categories.Contains(category, StringComparer.Ordinal)
            ? new KnownModule(file, Enum.Parse<KnownModuleCategory>(category, ignoreCase: true), Text(entry, "vendor", where), Text(entry, "source", where))
            : throw new InvalidKnownModulesException($"{where}: {Quote(category)} is no category; there are {string.Join(", ", s_categories)}");
    }

    private static string Text(JsonElement entry, string field, string where) =>
        entry.TryGetProperty(field, out JsonElement value) && value.ValueKind == JsonValueKind.String && value.GetString() is { } text
        && text.Trim().Length > 0 && text.Length <= LongestText && SafeText.Clean(text) == text
            ? text.Trim()
            : throw new InvalidKnownModulesException($"{where}: \"{field}\" is not a text of 1 to {LongestText} printable characters");

    private static string Quote(string text) => SafeText.Quote(SafeText.Clean(text));
}
