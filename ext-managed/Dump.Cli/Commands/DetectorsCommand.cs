using System.CommandLine;
using Dump.Analysis;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze detectors</c>: what is looked for.</summary>
internal static class DetectorsCommand
{
    /// <summary>Makes the command.</summary>
    public static Command Create()
    {
        Command command = new("detectors", "Lists the detectors: what each finds and which data it needs.");
        command.SetAction(_ => ReportOutput.Text(output =>
        {
            foreach (DetectorDescriptor detector in DetectorRegistry.Descriptors)
            {
                output.WriteLine($"{detector.Id}  {detector.Title}");
                output.WriteLine($"          {detector.Summary}");
                output.WriteLine($"          needs: {detector.Needs}");
            }
        }));
        return command;
    }
}
