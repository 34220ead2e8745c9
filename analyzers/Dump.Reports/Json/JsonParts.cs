using System.Text.Json;
using Dump.Model.Reported;

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

    /// <summary>Writes the source and the process.</summary>
    public static void Head(Utf8JsonWriter json, ProcessReport facts)
    {
        Part(json, "source", facts.Source);
        Part(json, "process", facts.Process);
    }

    /// <summary>Writes what the source lacks and what is wrong with it.</summary>
    public static void Foot(Utf8JsonWriter json, ProcessReport facts)
    {
        Part(json, "missing", facts.Missing);
        Part(json, "problems", facts.Problems);
    }

    /// <summary>Writes an address.</summary>
    public static void Address(Utf8JsonWriter json, string name, ulong? value) => Part(json, name, value);

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

    /// <summary>Writes ids of threads.</summary>
    public static void Ids(Utf8JsonWriter json, string name, IEnumerable<uint> ids)
    {
        json.WriteStartArray(name);
        foreach (uint id in ids)
        {
            json.WriteNumberValue(id);
        }

        json.WriteEndArray();
    }

    /// <summary>Writes a number.</summary>
    public static void Number(Utf8JsonWriter json, string name, long? value) => Part(json, name, value);

    /// <summary>Writes what is true, false or unknown.</summary>
    public static void Flag(Utf8JsonWriter json, string name, bool? value) => Part(json, name, value);
}
