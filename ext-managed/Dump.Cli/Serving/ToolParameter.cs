using System.Collections.Immutable;
using System.Text.Json;

namespace Dump.Cli.Serving;

/// <summary>A parameter of a tool, as the protocol describes it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Kind">What it takes.</param>
/// <param name="Description">What it means, for the model that fills it in.</param>
internal sealed record ToolParameter(string Name, ParameterKind Kind, string Description)
{
    /// <summary>True when it must be given.</summary>
    public bool IsRequired { get; init; }

    /// <summary>The least number that it takes.</summary>
    public int Least { get; init; }

    /// <summary>The words that it takes; empty for any.</summary>
    public ImmutableArray<string> Words { get; init; } = [];

    /// <summary>The parameters of a tool as a JSON schema.</summary>
    public static JsonElement Schema(IReadOnlyCollection<ToolParameter> parameters)
    {
        using MemoryStream text = new();
        using (Utf8JsonWriter json = new(text))
        {
            json.WriteStartObject();
            json.WriteString("type", "object");
            json.WriteStartObject("properties");
            foreach (ToolParameter parameter in parameters)
            {
                parameter.Write(json);
            }

            json.WriteEndObject();
            json.WriteStartArray("required");
            foreach (ToolParameter parameter in parameters.Where(p => p.IsRequired))
            {
                json.WriteStringValue(parameter.Name);
            }

            json.WriteEndArray();
            json.WriteBoolean("additionalProperties", false);
            json.WriteEndObject();
        }

        using var document = JsonDocument.Parse(text.ToArray());
        return document.RootElement.Clone();
    }

    private void Write(Utf8JsonWriter json)
    {
        json.WriteStartObject(Name);
        json.WriteString("type", Kind switch
        {
            ParameterKind.Texts => "array",
            ParameterKind.Number => "integer",
            ParameterKind.Flag => "boolean",
            _ => "string",
        });
        json.WriteString("description", Description);
        if (Kind == ParameterKind.Texts)
        {
            json.WriteStartObject("items");
            json.WriteString("type", "string");
            json.WriteEndObject();
        }

        if (Kind == ParameterKind.Number)
        {
            json.WriteNumber("minimum", Least);
        }

        if (!Words.IsEmpty)
        {
            json.WriteStartArray("enum");
            Words.ToList().ForEach(json.WriteStringValue);
            json.WriteEndArray();
        }

        json.WriteEndObject();
    }
}
