using System.Collections.Immutable;
using System.Text.Json;
using Dump.Model.Text;

namespace Dump.Analysis.Rules;

/// <summary>An object in a list of rules. What is not as documented is an <see cref="InvalidRulesException"/>.</summary>
/// <param name="value">The object.</param>
/// <param name="where">Where it stands, in words.</param>
/// <param name="longestText">Longest text in it, in UTF-16 code units.</param>
internal readonly struct RuleObject(JsonElement value, string where, int longestText)
{
    /// <summary>Most parts of a list inside of an entry.</summary>
    private const int MostParts = 100;

    /// <summary>Refuses anything but an object with no other fields than these.</summary>
    public void CheckFields(params ReadOnlySpan<string> known)
    {
        if (value.ValueKind != JsonValueKind.Object)
        {
            throw new InvalidRulesException($"{where} is not an object");
        }

        foreach (JsonProperty field in value.EnumerateObject())
        {
            if (!known.Contains(field.Name))
            {
                throw new InvalidRulesException($"{where} has an unknown field {Quote(field.Name)}");
            }
        }
    }

    /// <summary>True when it has the field.</summary>
    public bool Has(string field) => value.TryGetProperty(field, out _);

    /// <summary>A text, without the spaces around it.</summary>
    public string Text(string field) => Text(value.TryGetProperty(field, out JsonElement found) ? found : default, field);

    /// <summary>A list of texts; empty when the field is missing.</summary>
    public ImmutableArray<string> Texts(string field)
    {
        RuleObject self = this;
        return !value.TryGetProperty(field, out JsonElement list) ? []
            : IsList(list) ? [.. list.EnumerateArray().Select(t => self.Text(t, field))]
            : throw Error($"\"{field}\" is not a list of at most {MostParts} texts");
    }

    /// <summary>True or false; false when the field is missing.</summary>
    public bool Flag(string field) => value.TryGetProperty(field, out JsonElement flag)
        && (flag.ValueKind is JsonValueKind.True or JsonValueKind.False ? flag.GetBoolean() : throw Error($"\"{field}\" is neither true nor false"));

    /// <summary>An object inside; null when the field is missing.</summary>
    public RuleObject? Part(string field) =>
        value.TryGetProperty(field, out JsonElement part) ? new RuleObject(part, $"\"{field}\" of {where}", longestText) : null;

    /// <summary>A list of objects; empty when the field is missing.</summary>
    /// <param name="field">The field.</param>
    /// <param name="one">One of them in words, for example <c>a frame</c>.</param>
    public ImmutableArray<RuleObject> Parts(string field, string one)
    {
        (string place, int longest) = ($"{one} of {where}", longestText);
        return !value.TryGetProperty(field, out JsonElement list) ? []
            : IsList(list) ? [.. list.EnumerateArray().Select(p => new RuleObject(p, place, longest))]
            : throw Error($"\"{field}\" is not a list of at most {MostParts}");
    }

    /// <summary>What is wrong with the object, and where it stands.</summary>
    public InvalidRulesException Error(string problem) => new($"{where}: {problem}");

    /// <summary>A text of the list in a message.</summary>
    public static string Quote(string text) => SafeText.Quote(SafeText.Clean(text));

    private static bool IsList(JsonElement list) => list.ValueKind == JsonValueKind.Array && list.GetArrayLength() <= MostParts;

    private string Text(JsonElement found, string field) =>
        found.ValueKind == JsonValueKind.String && found.GetString() is { } text && text.Trim().Length > 0 && text.Length <= longestText
            && SafeText.Clean(text) == text
            ? text.Trim()
            : throw Error($"\"{field}\" is not a text of 1 to {longestText} printable characters");
}
