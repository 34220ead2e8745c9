using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Dump.Testing;

/// <summary>
/// Checks documents against <c>docs/json-schema.json</c>: the words of JSON Schema (draft 2020-12) that it uses, and no others. Stricter than the schema says:
/// a field that the schema does not know is an error too, so that no field can be added without its documentation.
/// </summary>
public sealed class JsonSchemaCheck
{
    private static readonly string[] s_words =
        ["type", "enum", "const", "pattern", "minimum", "maximum", "required", "properties", "items", "maxItems", "$ref", "anyOf", "description"];

    private readonly JsonElement _schema;
    private readonly List<string> _errors = [];

    private JsonSchemaCheck(JsonElement schema) => _schema = schema;

    /// <summary>The errors of a document; none when it is valid.</summary>
    /// <param name="json">The document; its field <c>schema</c> says which of the schemas it claims to follow.</param>
    public static IReadOnlyList<string> Errors(string json)
    {
        using JsonDocument schema = JsonDocument.Parse(File.ReadAllText(Path.Combine(Repository.Root, "docs", "json-schema.json")));
        using JsonDocument document = JsonDocument.Parse(json);
        string name = document.RootElement.Member("schema").GetString()!;
        string definition = name["dump-".Length..name.IndexOf('/', StringComparison.Ordinal)];
        JsonSchemaCheck check = new(schema.RootElement);
        check.Check(document.RootElement, check.Definition($"#/$defs/{definition}"), definition);
        return check._errors;
    }

    private JsonElement Definition(string reference) => _schema.Member("$defs").Member(reference["#/$defs/".Length..]);

    private void Check(JsonElement value, JsonElement schema, string path)
    {
        foreach (JsonProperty word in schema.EnumerateObject())
        {
            if (!s_words.Contains(word.Name))
            {
                throw new NotSupportedException($"The schema uses the word {word.Name}, which this check does not know.");
            }

            if (!Holds(value, word, path))
            {
                _errors.Add($"{path}: {Shown(value)} breaks {word.Name} {Shown(word.Value)}");
            }
        }

        if (value.ValueKind == JsonValueKind.Object && schema.TryGetProperty("properties", out JsonElement known))
        {
            _errors.AddRange(value.EnumerateObject().Where(p => !known.TryGetProperty(p.Name, out _)).Select(p => $"{path}.{p.Name} is not in the schema"));
        }
    }

    private bool Holds(JsonElement value, JsonProperty word, string path) => word.Name switch
    {
        "type" => word.Value.ValueKind == JsonValueKind.Array ? word.Value.EnumerateArray().Any(t => IsOfType(value, t)) : IsOfType(value, word.Value),
        "enum" => word.Value.EnumerateArray().Any(v => JsonElement.DeepEquals(v, value)),
        "const" => JsonElement.DeepEquals(word.Value, value),
        "pattern" => value.ValueKind != JsonValueKind.String || Regex.IsMatch(value.GetString()!, word.Value.GetString()!),
        "minimum" => value.ValueKind != JsonValueKind.Number || value.GetDecimal() >= word.Value.GetDecimal(),
        "maximum" => value.ValueKind != JsonValueKind.Number || value.GetDecimal() <= word.Value.GetDecimal(),
        "maxItems" => value.ValueKind != JsonValueKind.Array || value.GetArrayLength() <= word.Value.GetInt32(),
        "required" => value.ValueKind != JsonValueKind.Object || word.Value.EnumerateArray().All(n => value.TryGetProperty(n.GetString()!, out _)),
        "properties" => CheckProperties(value, word.Value, path),
        "items" => CheckItems(value, word.Value, path),
        "$ref" => CheckReference(value, word.Value, path),
        "anyOf" => CheckAny(value, word.Value, path),
        _ => true,
    };

    private bool CheckProperties(JsonElement value, JsonElement properties, string path)
    {
        foreach (JsonProperty property in properties.EnumerateObject())
        {
            if (value.ValueKind == JsonValueKind.Object && value.TryGetProperty(property.Name, out JsonElement field))
            {
                Check(field, property.Value, $"{path}.{property.Name}");
            }
        }

        return true;
    }

    private bool CheckItems(JsonElement value, JsonElement schema, string path)
    {
        int index = 0;
        foreach (JsonElement item in value.ValueKind == JsonValueKind.Array ? value.EnumerateArray() : default)
        {
            Check(item, schema, string.Create(CultureInfo.InvariantCulture, $"{path}[{index++}]"));
        }

        return true;
    }

    private bool CheckReference(JsonElement value, JsonElement reference, string path)
    {
        Check(value, Definition(reference.GetString()!), path);
        return true;
    }

    /// <summary>Of a value that breaks all of them, what it breaks of the first is said too.</summary>
    private bool CheckAny(JsonElement value, JsonElement schemas, string path)
    {
        JsonSchemaCheck[] checks = [.. schemas.EnumerateArray().Select(_ => new JsonSchemaCheck(_schema))];
        foreach ((JsonSchemaCheck check, JsonElement schema) in checks.Zip(schemas.EnumerateArray()))
        {
            check.Check(value, schema, path);
        }

        if (checks.Any(c => c._errors.Count == 0))
        {
            return true;
        }

        _errors.AddRange(checks[0]._errors);
        return false;
    }

    private static bool IsOfType(JsonElement value, JsonElement type) => type.GetString() switch
    {
        "integer" => value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out _),
        "boolean" => value.ValueKind is JsonValueKind.True or JsonValueKind.False,
        var name => string.Equals(value.ValueKind.ToString(), name, StringComparison.OrdinalIgnoreCase),
    };

    private static string Shown(JsonElement value)
    {
        const int Most = 100;
        string text = value.GetRawText();
        return text.Length > Most ? text[..Most] + "..." : text;
    }
}
