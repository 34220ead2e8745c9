using System.CommandLine;
using Dump.Analysis;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Engine;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze requests FILE</c>, <c>requests live PID</c>: the requests that a process serves and sends, by what they wait for.</summary>
internal static class RequestsCommand
{
    public static Command Create()
    {
        DumpOptions options = new();
        RequestOptions listing = new();
        TeachingCommand command = new(
            "requests", "Prints the requests in flight of a .NET process (ASP.NET Core, HttpClient, Npgsql), and what they wait for.",
            """
            Searches the managed heap and the stacks for requests that have begun and not ended. Requests of one route
            that are in the same method and wait for the same share a line. They may wait for a semaphore, a lock, or the
            answer of another service. The method is the innermost one of the program. The age is known if the program logs
            or traces its requests.

            Paths, queries, headers and texts of commands are strings of users and are not printed. --show-values prints all of
            them but headers.

            Examples:
              dumpanalyze requests hang.core                  what is being served and sent
              dumpanalyze requests live 4711                  of a live process, which is stopped meanwhile
              dumpanalyze requests hang.core --all            each request, with its connection
              dumpanalyze requests hang.core --format json    for programs

            Exit code: 0 all requests were read, 13 data are missing, 3 dump unreadable, 2 wrong usage.
            """);
        options.AddWithRuntimeTo(command);
        command.Options.Add(options.Wine);
        command.Options.Add(options.Symbols);
        command.Options.Add(listing.All);
        command.Options.Add(listing.Values);
        BackgroundAction.Set(command, (parsed, cancellation) =>
            Report(parsed, options, listing, DumpLoader.Load(parsed, options, cancellation, Questions(parsed, listing))));
        RequestOptions living = new();
        command.Subcommands.Add(LiveFacts.Create(
            "Prints the requests in flight of a live process, which is stopped while its memory is read.",
            parsed => Questions(parsed, living), (parsed, report, snapshot) => Report(parsed, report, living, snapshot), living.All, living.Values));
        return command;
    }

    private static ManagedQuestions Questions(ParseResult parsed, RequestOptions listing) =>
        new() { Requests = true, RequestValues = parsed.GetValue(listing.Values) };

    private static int Report(ParseResult parsed, DumpOptions options, RequestOptions listing, ProcessSnapshot read)
    {
        ProcessSnapshot snapshot = RequestGroups.StateMissing(read);
        bool isComplete = RequestGroups.AreComplete(snapshot);
        bool all = parsed.GetValue(listing.All) || parsed.GetValue(listing.Values);
        ReportOutput.Document(parsed, options, ListDocuments.Requests(snapshot, RequestGroups.Of(snapshot, all), !isComplete), RequestsReport.Write);
        return isComplete ? ExitCode.Success : ExitCode.Undecidable;
    }

    /// <summary>What is listed besides the groups.</summary>
    private sealed class RequestOptions
    {
        public Option<bool> All { get; } = new("--all") { Description = "List each request below its group." };

        public Option<bool> Values { get; } = new("--show-values")
        {
            Description = "List each request with its path and query, or the text of its command. They may hold personal data and secrets.",
        };
    }
}
