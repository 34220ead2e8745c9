using System.CommandLine;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Model.Contract;
using Dump.Readers.Minidump;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze raw FILE</c>: every stream as it is.</summary>
internal static class RawCommand
{
    public static Command Create()
    {
        DumpOptions options = new();
        Command command = new("raw", "Prints every stream of the dump as it is, without a verdict.");
        options.AddTo(command);
        BackgroundAction.Set(command, (parsed, _) =>
        {
            using MinidumpFile dump = MinidumpFile.Open(parsed.GetRequiredValue(options.File));
            if (parsed.GetValue(options.Format) == OutputFormat.Json)
            {
                ReportOutput.Json(output => MinidumpJson.Write(dump, output));
            }
            else
            {
                ReportOutput.Text(parsed, options, (output, _) => MinidumpText.Write(dump, output));
            }

            return ExitCode.Success;
        });
        return command;
    }
}
