using System.Text.Json;
using Dump.Model.Text;

namespace Dump.Cli.Serving;

/// <summary>What a request gives for the parameters of a tool: checked, because a model fills it in.</summary>
internal sealed class ToolArguments
{
    private const int MostTexts = 15;
    private const int LongestText = 4096;

    private readonly IReadOnlyDictionary<string, JsonElement> _given;

    /// <summary>Checks what was given.</summary>
    /// <param name="parameters">The parameters of the tool.</param>
    /// <param name="given">What was given, by name.</param>
    /// <exception cref="RefusedRequestException">Something is missing, unknown or of another kind.</exception>
    public ToolArguments(IReadOnlyCollection<ToolParameter> parameters, IDictionary<string, JsonElement>? given)
    {
        _given = (given ?? new Dictionary<string, JsonElement>()).Where(g => g.Value.ValueKind is not JsonValueKind.Null)
            .ToDictionary(g => g.Key, g => g.Value);
        string names = string.Join(", ", parameters.Select(p => p.Name));
        if (_given.Keys.FirstOrDefault(k => parameters.All(p => p.Name != k)) is { } unknown)
        {
            throw new RefusedRequestException($"there is no parameter {SafeText.Quote(SafeText.Clean(unknown, 60))}; there are: {names}");
        }

        foreach (ToolParameter parameter in parameters)
        {
            Check(parameter);
        }
    }

    /// <summary>A text, or null when it was not given.</summary>
    public string? Text(string name) => _given.TryGetValue(name, out JsonElement value) ? value.ValueKind == JsonValueKind.Number ? value.GetRawText() : value.GetString() : null;

    /// <summary>A list of texts, empty when it was not given.</summary>
    public IEnumerable<string> Texts(string name) =>
        _given.TryGetValue(name, out JsonElement value) ? value.EnumerateArray().Select(v => v.GetString()!) : [];

    /// <summary>A number, or null when it was not given.</summary>
    public int? Number(string name) => _given.TryGetValue(name, out JsonElement value) ? value.GetInt32() : null;

    /// <summary>True when it was given as true.</summary>
    public bool Flag(string name) => _given.TryGetValue(name, out JsonElement value) && value.GetBoolean();

    private void Check(ToolParameter parameter)
    {
        if (!_given.TryGetValue(parameter.Name, out JsonElement value))
        {
            if (parameter.IsRequired)
            {
                throw new RefusedRequestException($"{parameter.Name} is missing: {parameter.Description}");
            }

            return;
        }

        bool fits = parameter.Kind switch
        {
            ParameterKind.Text => (IsText(value) || (parameter.Words.IsEmpty && value.ValueKind == JsonValueKind.Number)) && (parameter.Words.IsEmpty || parameter.Words.Contains(value.GetString()!)),
            ParameterKind.Texts => value.ValueKind == JsonValueKind.Array && value.GetArrayLength() <= MostTexts && value.EnumerateArray().All(IsText),
            ParameterKind.Number => value.ValueKind == JsonValueKind.Number && value.TryGetInt32(out int number) && number >= parameter.Least,
            _ => value.ValueKind is JsonValueKind.True or JsonValueKind.False,
        };
        if (!fits)
        {
            string give = parameter.Words.IsEmpty
                ? parameter.Kind switch
                {
                    ParameterKind.Text => "a text",
                    ParameterKind.Texts => $"at most {MostTexts} texts",
                    ParameterKind.Number => $"a whole number from {parameter.Least} on",
                    _ => "true or false",
                }
                : string.Join(", ", parameter.Words);
            throw new RefusedRequestException($"{parameter.Name} is not valid; give {give}");
        }
    }

    private static bool IsText(JsonElement value) => value.ValueKind == JsonValueKind.String && value.GetString()!.Length <= LongestText;
}
