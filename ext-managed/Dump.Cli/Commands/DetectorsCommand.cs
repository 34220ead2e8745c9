using System.CommandLine;
using System.Text.Json;
using Dump.Analysis;
using Dump.Analysis.Detection;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Model.Contract;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze detectors</c>: what is looked for.</summary>
internal static class DetectorsCommand
{
    public static Command Create()
    {
        DumpOptions options = new();
        Command command = new("detectors", "Lists the detectors: what each finds and which data it needs.");
        command.Options.Add(options.Format);
        command.Options.Add(options.NoColor);
        command.SetAction(parsed =>
        {
            if (parsed.GetValue(options.Format) == OutputFormat.Json)
            {
                ReportOutput.Json(WriteJson);
            }
            else
            {
                ReportOutput.Text(parsed, options, (output, _) => WriteText(output));
            }
        });
        return command;
    }

    private static void WriteText(TextWriter output)
    {
        foreach (DetectorDescriptor detector in DetectorRegistry.Descriptors)
        {
            output.WriteLine($"{detector.Id}  {detector.Title}");
            output.WriteLine($"          {detector.Summary}");
            output.WriteLine($"          needs: {detector.Needs}");
            if (detector.FamilyName is { } family)
            {
                output.WriteLine($"          family: {family}");
            }
        }
    }

    private static void WriteJson(Stream output)
    {
        using Utf8JsonWriter json = new(output, new JsonWriterOptions { Indented = true, NewLine = "\n" });
        json.WriteStartObject();
        json.WriteString("schema", SchemaNames.Detectors);
        json.WriteStartArray("detectors");
        foreach (DetectorDescriptor detector in DetectorRegistry.Descriptors)
        {
            json.WriteStartObject();
            json.WriteString("id", detector.Id);
            json.WriteString("title", detector.Title);
            json.WriteString("summary", detector.Summary);
            json.WriteString("needs", detector.Needs);
            json.WriteString("family", detector.FamilyName);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }
}
