using System.Text.Json;
using Dump.Model.Text;

namespace Dump.Analysis.Rules;

/// <summary>Reads lists of rules in JSON, which a user may bring; everything that is not as documented is an error that names its entry.</summary>
internal static class RuleDocument
{
    private const int MostEntries = 10_000;
    private const int MostCharacters = 4 * 1024 * 1024;
    private const int LongestMessage = 255;

    /// <summary>Reads a list.</summary>
    /// <param name="text">The JSON.</param>
    /// <param name="schema">What its field <c>schema</c> must say.</param>
    /// <param name="list">The field with the entries; there is no other one.</param>
    /// <param name="longestText">Longest text in it, in UTF-16 code units.</param>
    /// <param name="entry">Reads one entry.</param>
    /// <param name="key">What no two entries may have in common.</param>
    /// <exception cref="InvalidRulesException">It is no such list.</exception>
    public static IReadOnlyList<T> Read<T>(string text, string schema, string list, int longestText, Func<RuleObject, T> entry, Func<T, string> key)
    {
        if (text.Length > MostCharacters)
        {
            throw new InvalidRulesException($"it is longer than {MostCharacters} characters");
        }

        try
        {
            using JsonDocument document = Parse(text);
            return Entries(document.RootElement, schema, list, longestText, entry, key);
        }
        catch (InvalidOperationException)
        {
            // All kinds of values are asked for before they are read as such: what is left is half of a surrogate pair, which JSON can escape.
            throw new InvalidRulesException("it has a text that is not Unicode (half of a surrogate pair, such as \\ud800)");
        }
    }

    private static T[] Entries<T>(JsonElement root, string schema, string list, int longestText, Func<RuleObject, T> entry, Func<T, string> key)
    {
        if (root.ValueKind != JsonValueKind.Object || !root.TryGetProperty("schema", out JsonElement named) || named.ValueKind != JsonValueKind.String
            || named.GetString() != schema)
        {
            throw new InvalidRulesException($"it does not begin with \"schema\": \"{schema}\"");
        }

        new RuleObject(root, "it", longestText).CheckFields("schema", list);
        if (!root.TryGetProperty(list, out JsonElement entries) || entries.ValueKind != JsonValueKind.Array || entries.GetArrayLength() > MostEntries)
        {
            throw new InvalidRulesException($"\"{list}\" is not an array of at most {MostEntries} entries");
        }

        T[] read = [.. entries.EnumerateArray().Select((e, i) => entry(new RuleObject(e, $"entry {i + 1}", longestText)))];
        return read.GroupBy(key).FirstOrDefault(g => g.Count() > 1)?.Key is { } twice
            ? throw new InvalidRulesException($"{RuleObject.Quote(twice)} is there twice")
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
            throw new InvalidRulesException($"it is not JSON: {SafeText.Clean(error.Message, LongestMessage)}");
        }
    }
}

/// <summary>A list of rules that a user may bring (known modules, known issues, stack tags) does not have the documented form.</summary>
/// <param name="message">What is wrong, and in which entry.</param>
/// <param name="inner">The cause, or null.</param>
public sealed class InvalidRulesException(string message, Exception? inner = null) : Exception(message, inner);
