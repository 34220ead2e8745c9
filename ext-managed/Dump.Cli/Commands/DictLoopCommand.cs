using System.Collections.Immutable;
using System.CommandLine;
using Dump.Analysis.Collections;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Clr.Collections;
using Dump.Engine;
using Dump.Model.Collections;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze dictloop FILE [ADDRESS] [--heap]</c>, <c>dictloop live PID</c>: broken collections.</summary>
internal static class DictLoopCommand
{
    public static Command Create()
    {
        DumpOptions options = new();
        Argument<ulong?> address = new("ADDRESS")
        {
            Description = "Check only the collection at this address, hexadecimal with or without 0x.",
            Arity = ArgumentArity.ZeroOrOne,
            CustomParser = OptionValue.Address,
        };
        Option<bool> heap = new("--heap") { Description = "Check every collection of the managed heap, not only those that stacks refer to." };
        TeachingCommand command = new(
            "dictloop", "Finds broken .NET collections (a Dictionary with a cycle, for example): those that threads use, all on the heap, or one.", """
            Finds .NET collections that unsynchronized writes have broken: their chains, trees or lists lead back into
            themselves, and a search may never end. Prints the chain, the keys and values on it, the threads inside, and
            what the dump's runtime does with it. For the kinds of collections see: dumpanalyze detectors.

            Examples:
              dumpanalyze dictloop hang.core                  collections that threads are using
              dumpanalyze dictloop hang.core --heap           every collection of the heap
              dumpanalyze dictloop hang.core 7fd8f980c378     one object
              dumpanalyze dictloop live 4711                  of a live process, which is stopped meanwhile
              dumpanalyze dictloop hang.dmp --wine DIR        a Windows dump on Linux, under Wine

            Exit code: 0 all that were checked are sound, 10 Confirmed (a thread is in an endless cycle), 11 Likely,
            13 cannot decide because data are missing, 3 dump unreadable, 2 wrong usage or no such collection.
            """);
        options.AddWithRuntimeTo(command);
        command.Options.Add(options.Wine);
        command.Arguments.Add(address);
        command.Options.Add(heap);
        BackgroundAction.Set(command, (parsed, cancellation) => Report(parsed, options, DumpLoader.Load(parsed, options, cancellation, Questions(parsed))));
        command.Subcommands.Add(LiveFacts.Create(
            "Finds broken .NET collections of a live process, which is stopped while they are read.",
            Questions, Report, address, heap));
        foreach (Command one in command.Subcommands.Prepend(command))
        {
            one.Validators.Add(result =>
            {
                if (GivenValue.Of(result, heap) && result.GetResult(address) is { Tokens.Count: > 0 })
                {
                    result.AddError("give ADDRESS or --heap, not both");
                }
            });
        }

        return command;

        ManagedQuestions Questions(ParseResult parsed) => new() { Collections = Request(parsed.GetValue(address), parsed.GetValue(heap)) };
    }

    private static CollectionRequest Request(ulong? address, bool heap) =>
        address is { } at ? new CollectionRequest(CollectionScope.Object, at) : new CollectionRequest(heap ? CollectionScope.Heap : CollectionScope.InUse);

    private static int Report(ParseResult parsed, DumpOptions options, ProcessSnapshot read)
    {
        ProcessSnapshot snapshot = CollectionData.StateMissing(read);
        if (snapshot.CollectionScan is { Refusal: { } refusal, HeapIsPresent: true })
        {
            Console.Error.WriteLine($"dumpanalyze: {refusal}");
            return ExitCode.Usage;
        }

        ImmutableArray<JudgedCollection> judged = CollectionJudgement.Judge(snapshot.CollectionScan?.Findings ?? []);
        int exitCode = AnswerExitCode.Of(judged, CollectionData.IsComplete(snapshot));
        ReportOutput.Document(
            parsed, options, ListDocuments.Collections(snapshot, judged, exitCode == ExitCode.Undecidable), CollectionsReport.Write);
        return exitCode;
    }
}
