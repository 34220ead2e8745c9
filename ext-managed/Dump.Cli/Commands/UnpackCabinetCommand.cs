using System.CommandLine;
using Dump.Cli.Output;
using Dump.Model.Contract;
using Dump.Triage.Archives;

namespace Dump.Cli.Commands;

/// <summary>
/// <c>dumpanalyze unpack-cabinet FILE FOLDER BYTES</c>, for this program itself on Windows: unpacks a cabinet and prints the names of its members, one a line.
/// Not shown in help.
/// </summary>
internal static class UnpackCabinetCommand
{
    public static Command Create()
    {
        Argument<string> file = new("FILE");
        Argument<string> folder = new("FOLDER");
        Argument<long> most = new("BYTES");
        Command command = new(CabinetCommand.Name, "Unpacks a cabinet, for another process of this program.") { Hidden = true };
        command.Arguments.Add(file);
        command.Arguments.Add(folder);
        command.Arguments.Add(most);
        command.SetAction(parsed =>
        {
            if (!OperatingSystem.IsWindows())
            {
                Console.Error.WriteLine("dumpanalyze: cabinets are unpacked on Windows only");
                return ExitCode.Usage;
            }

            try
            {
                IEnumerable<string> names = SystemCabinet.Unpack(parsed.GetRequiredValue(file), parsed.GetRequiredValue(folder), parsed.GetRequiredValue(most));
                ReportOutput.Text(output => output.Write(string.Concat(names.Select(n => n + "\n"))));
                return ExitCode.Success;
            }
            catch (InvalidDataException error)
            {
                Console.Error.WriteLine(error.Message);
                return ExitCode.Unreadable;
            }
        });
        return command;
    }
}
