using System.Globalization;
using Dump.Capture;
using Dump.Capture.Proc;
using Dump.Model.Contract;

namespace Dump.Cli.Output;

/// <summary>Living .NET processes on standard output, for somebody who has not said which one to look at.</summary>
internal static class ProcessList
{
    private const int MostShown = 200;

    /// <summary>Writes the list; that it is empty, and why it may be, is said on standard error.</summary>
    /// <returns>The exit code.</returns>
    public static int Write()
    {
        IReadOnlyList<DotNetProcess> processes = LivingProcesses.Find();
        if (processes.Count == 0)
        {
            string? advice = LivingProcesses.AdviceOnOthers;
            Console.Error.WriteLine(advice is null ? "dumpanalyze: no .NET process that you can inspect is running here"
                : $"dumpanalyze: no .NET process of yours is running; those of other users: {advice}");
            return ExitCode.Success;
        }

        ReportOutput.Text(output => Write(processes, output));
        return ExitCode.Success;
    }

    private static void Write(IReadOnlyList<DotNetProcess> processes, TextWriter output)
    {
        output.WriteLine("  PID      runtime    command line");
        foreach (DotNetProcess process in processes.Take(MostShown))
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {process.Id,-8} {process.Runtime ?? "its own",-10} {process.CommandLine}"));
        }

        if (processes.Count > MostShown)
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  and {processes.Count - MostShown} more"));
        }
    }
}
