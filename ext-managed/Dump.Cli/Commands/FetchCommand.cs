using System.CommandLine;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Model.Contract;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze fetch FILE</c>: lists what a dump lacks here and gets it.</summary>
internal static class FetchCommand
{
    public static Command Create()
    {
        DumpOptions options = new();
        Command command = new TeachingCommand(FetchOptions.CommandName,
            "Lists what is missing here to analyze a dump, with addresses, and downloads it when you agree.",
            """
            Lists what is missing on this machine to analyze a dump, with sizes and addresses, and downloads it when you agree:

              the data-access library    from the runtime package in a NuGet feed: those of your NuGet configuration
                                         (dotnet nuget list source), or of --feed, into your cache for later runs
              PDB and image files        of modules on stacks and of pending async methods, from the servers of --symbols
                                         or _NT_SYMBOL_PATH, into the local store that the path names before them
              Linux debug files          and images whose code a core lacks, by build id, from the servers of --debuginfod
                                         or DEBUGINFOD_URLS, into the cache that debuggers share

            The data-access library is code that will run. Only a package that Microsoft Corporation has signed counts.
            Each request is printed. To make the list, feeds are asked for the package. Other servers are asked only after
            you agree. Nothing else of the dump is sent.

            Examples:
              dumpanalyze fetch hang.core
              dumpanalyze fetch hang.core --yes
              dumpanalyze hang.core --fetch --yes
              dumpanalyze fetch hang.dmp --symbols "srv*C:\symbols*https://symbols.example"
              dumpanalyze fetch native.core --debuginfod https://debuginfod.example

            Exit code: 0 nothing is missing any more, 13 something still is, 3 dump unreadable, 2 wrong usage.
            """);
        options.AddForFetchTo(command);
        BackgroundAction.Set(command, (parsed, cancellation) =>
        {
            string path = parsed.GetRequiredValue(options.File);
            options.Open(path, parsed).Check();
            bool isComplete = new FetchRun(parsed, options, cancellation).Run(path, Write);
            return isComplete ? ExitCode.Success : ExitCode.Undecidable;
        });
        return command;
    }

    private static void Write(IReadOnlyList<string> lines) => ReportOutput.Text(output =>
        output.Write(lines.Count == 0 ? "Nothing was found missing that could be fetched.\n" : string.Concat(lines.Select(l => l + "\n"))));
}
