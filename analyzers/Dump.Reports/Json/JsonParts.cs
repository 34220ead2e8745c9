using System.Text.Json;

namespace Dump.Reports.Json;

/// <summary>Parts of documents whose other parts are written by hand.</summary>
internal static class JsonParts
{
    /// <summary>Writes a field by its contract.</summary>
    public static void Part<T>(Utf8JsonWriter json, string name, T value)
    {
        json.WritePropertyName(name);
        JsonSerializer.Serialize(json, value, JsonContract.Of<T>());
    }

    /// <summary>Writes texts.</summary>
    public static void Texts(Utf8JsonWriter json, string name, IEnumerable<string> texts)
    {
        json.WriteStartArray(name);
        foreach (string text in texts)
        {
            json.WriteStringValue(text);
        }

        json.WriteEndArray();
    }

    /// <summary>Writes a number.</summary>
    public static void Number(Utf8JsonWriter json, string name, long? value) => Part(json, name, value);

    /// <summary>Writes what is true, false or unknown.</summary>
    public static void Flag(Utf8JsonWriter json, string name, bool? value) => Part(json, name, value);
}
