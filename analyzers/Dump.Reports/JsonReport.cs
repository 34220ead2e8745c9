using System.Globalization;
using System.Text.Json;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Reports;

/// <summary>The report for programs. Schema: <c>docs/json-schema.md</c>. Addresses are hexadecimal strings, any field may be null, fields are only added.</summary>
public static class JsonReport
{
    /// <summary>Writes the report as one indented JSON document in UTF-8.</summary>
    /// <param name="snapshot">The facts that were judged.</param>
    /// <param name="result">The judgement, or null for facts alone.</param>
    /// <param name="output">Where to write; stays open.</param>
    /// <param name="allStacks">True to add the frames of every thread.</param>
    public static void Write(ProcessSnapshot snapshot, AnalysisResult? result, Stream output, bool allStacks)
    {
        using Utf8JsonWriter json = new(output, new JsonWriterOptions { Indented = true, NewLine = "\n" });
        json.WriteStartObject();
        json.WriteString("schema", SchemaNames.Report);
        WriteSource(json, snapshot);
        if (result is not null)
        {
            json.WriteBoolean("undecidable", result.IsUndecidable);
            if (!result.Only.IsEmpty)
            {
                JsonParts.Texts(json, "only", result.Only);
            }

            JsonVerdicts.Write(json, snapshot, result);
            JsonVerdicts.WriteFocus(json, snapshot, result.Focus);
            if (!result.Notes.IsEmpty)
            {
                JsonParts.Texts(json, "notes", result.Notes);
            }
        }

        JsonFacts.Write(json, snapshot, allStacks);
        JsonModules.Write(json, snapshot);
        WriteMissingAndProblems(json, snapshot);
        json.WriteEndObject();
    }

    /// <summary>Writes what the source lacks and what is wrong with it.</summary>
    internal static void WriteMissingAndProblems(Utf8JsonWriter json, ProcessSnapshot snapshot)
    {
        JsonParts.Missing(json, "missing", snapshot.Missing);
        json.WriteStartArray("problems");
        foreach (ReaderProblem problem in snapshot.Problems)
        {
            json.WriteStartObject();
            json.WriteString("where", problem.Where);
            json.WriteString("message", problem.Message);
            JsonParts.Address(json, "offset", problem.Offset);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    /// <summary>Writes the source and the process.</summary>
    internal static void WriteSource(Utf8JsonWriter json, ProcessSnapshot snapshot)
    {
        json.WriteStartObject("source");
        json.WriteString("name", snapshot.Source.DisplayName);
        json.WriteString("kind", snapshot.Source.Kind);
        JsonParts.Number(json, "size", snapshot.Source.FileSize);
        json.WriteString("captured", snapshot.Source.Captured?.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture));
        json.WriteString("comment", snapshot.Source.Comment);
        if (snapshot.Source.Earlier is { } earlier)
        {
            json.WriteStartObject("earlier");
            json.WriteString("name", earlier.DisplayName);
            json.WriteString("captured", earlier.Captured?.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture));
            json.WriteEndObject();
        }

        if (snapshot.ManagedHalfOrigin is not null)
        {
            json.WriteString("managedHalf", snapshot.ManagedHalfOrigin);
        }

        if (!snapshot.SymbolFiles.IsEmpty)
        {
            JsonParts.Texts(json, "symbols", snapshot.SymbolFiles);
        }

        json.WriteEndObject();
        json.WriteStartObject("process");
        JsonParts.Number(json, "id", snapshot.ProcessId);
        json.WriteString("name", snapshot.ProcessName);
        json.WriteString("system", snapshot.System.Text);
        json.WriteString("architecture", snapshot.System.Architecture.ToString());
        json.WriteBoolean("wine", snapshot.System.IsWine);
        json.WriteString("machine", snapshot.Machine);
        json.WriteEndObject();
    }
}
