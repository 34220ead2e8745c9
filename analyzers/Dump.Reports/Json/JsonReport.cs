using System.Text.Json;
using Dump.Model.Reported;

namespace Dump.Reports.Json;

/// <summary>Documents for programs. Schema: <c>docs/json-schema.json</c>. Addresses are hexadecimal strings, any field may be null, fields are only added.</summary>
public static class JsonReport
{
    /// <summary>Writes a verdict with its facts as one indented JSON document in UTF-8.</summary>
    /// <param name="report">The document.</param>
    /// <param name="output">Where to write; stays open.</param>
    public static void Write(HangReport report, Stream output) => Document(report, output);

    /// <summary>Writes facts alone as one indented JSON document in UTF-8.</summary>
    /// <param name="report">The document.</param>
    /// <param name="output">Where to write; stays open.</param>
    public static void Write(ProcessReport report, Stream output) => Document(report, output);

    private static void Document<T>(T document, Stream output)
    {
        using Utf8JsonWriter json = new(output, new JsonWriterOptions { Indented = true, NewLine = "\n" });
        JsonSerializer.Serialize(json, document, JsonContract.Of<T>());
    }
}
