using System.Globalization;
using Dump.Capture.Proc;

namespace Dump.Cli.Output;

/// <summary>Living .NET processes on standard error, for somebody who has not said which one to look at.</summary>
internal static class ProcessList
{
    private const int MostShown = 200;

    /// <summary>Writes the list, or that there is none.</summary>
    public static void Write()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        IReadOnlyList<DotNetProcess> processes = DotNetProcesses.Find();
        Console.Error.WriteLine(processes.Count > 0 ? "  PID      runtime    command line"
            : DotNetProcesses.AdviceOnOthers is { } advice ? $"No .NET process of yours is running; those of other users: {advice}"
            : "No .NET process that can be looked at is running here");
        foreach (DotNetProcess process in processes.Take(MostShown))
        {
            Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {process.Id,-8} {process.Runtime ?? "its own",-10} {process.CommandLine}"));
        }

        if (processes.Count > MostShown)
        {
            Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  and {processes.Count - MostShown} more"));
        }
    }
}
