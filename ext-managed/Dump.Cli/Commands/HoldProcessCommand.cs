using System.CommandLine;
using Dump.Capture.Windows.Holding;
using Dump.Model.Contract;
using Dump.Readers;

namespace Dump.Cli.Commands;

/// <summary>
/// <c>dumpanalyze hold-process PID</c>, for this program itself on Windows: stops a process and lets it go for another process of this program, also when that
/// one is killed. Not shown in help.
/// </summary>
internal static class HoldProcessCommand
{
    public static Command Create()
    {
        Argument<int> process = new("PID");
        Command command = new(HolderCommand.Name, "Stops a process and lets it go, for another process of this program.") { Hidden = true };
        command.Arguments.Add(process);
        command.SetAction(parsed =>
        {
            if (!OperatingSystem.IsWindows())
            {
                Console.Error.WriteLine("dumpanalyze: processes are held on Windows only");
                return ExitCode.Usage;
            }

            using StreamReader questions = new(Console.OpenStandardInput());
            using StreamWriter answers = new(Console.OpenStandardOutput());
            ProcessHolder.Serve(parsed.GetRequiredValue(process), ReadLimits.Default.MaxThreads, questions, answers);
            return ExitCode.Success;
        });
        return command;
    }
}
