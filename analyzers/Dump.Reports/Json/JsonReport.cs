using System.Text.Json;

namespace Dump.Reports.Json;

/// <summary>
/// Documents for programs. Schema: <c>docs/json-schema.json</c>. Addresses are hexadecimal strings, any field may be null, fields are only added.
/// </summary>
public static class JsonReport
{
    /// <summary>Writes a document as indented JSON in UTF-8.</summary>
    /// <param name="document">A record that <see cref="ReportJsonContext"/> knows.</param>
    /// <param name="output">Where to write; stays open.</param>
    public static void Write<T>(T document, Stream output)
    {
        using Utf8JsonWriter json = new(output, new JsonWriterOptions { Indented = true, NewLine = "\n" });
        JsonSerializer.Serialize(json, document, JsonContract.Of<T>());
    }
}
