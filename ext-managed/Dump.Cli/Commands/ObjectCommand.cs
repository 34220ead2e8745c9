using System.CommandLine;
using Dump.Cli.Options;
using Dump.Cli.Running;
using Dump.Clr.Objects;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze object FILE ADDRESS</c>, <c>object live PID ADDRESS</c>: one managed object.</summary>
internal static class ObjectCommand
{
    private const int DefaultLimit = 64;
    private const int HighestLimit = 1_000_000;

    public static Command Create()
    {
        DumpOptions options = new();
        Argument<ulong?> address = new("ADDRESS")
        {
            Description = "Address of the object, hexadecimal with or without 0x.",
            Arity = ArgumentArity.ExactlyOne,
            CustomParser = OptionValue.Address,
        };
        Option<int?> limit = new("--limit")
        {
            Description = $"Print at most N elements or entries (default {DefaultLimit}).",
            HelpName = "N",
            CustomParser = OptionValue.Whole(0, HighestLimit, "number of elements"),
        };
        Command command = new("object", """
            Prints a managed object: its fields, elements or entries, the text of a string, and the owner of its monitor.
            The entries of a broken Dictionary or HashSet are printed too.

            Examples:
              dumpanalyze object hang.core 7fd8f980c378
              dumpanalyze object hang.core 0x7fd8f980c378 --limit 1000
              dumpanalyze object live 4711 7fd8f980c378
            """);
        options.AddWithRuntimeTo(command);
        command.Arguments.Add(address);
        command.Options.Add(limit);
        BackgroundAction.Set(command, (parsed, cancellation) =>
        {
            string path = parsed.GetRequiredValue(options.File);
            options.Open(path, parsed).Check();
            FetchRun.Before(path, parsed, options, cancellation);
            ObjectAnswer<ObjectDocument> answer = ObjectQuestions.Describe(
                path, options.Settings(parsed).Managed, parsed.GetValue(address) ?? 0, parsed.GetValue(limit) ?? DefaultLimit);
            return AnswerOutput.Write(parsed, options, AnswerOutput.OfDump(path), answer, ObjectReport.Write);
        });
        command.Subcommands.Add(LiveFacts.Create(
            "Prints a managed object of a live process, which is stopped while it is read. Its objects may move afterwards.",
            parsed => new ObjectQuestion(parsed.GetValue(address) ?? 0, parsed.GetValue(limit) ?? DefaultLimit), ReportLive, address, limit));
        return command;
    }

    private static int ReportLive(ParseResult parsed, DumpOptions options, ObjectQuestion question, ProcessSnapshot snapshot) => AnswerOutput.Write(
        parsed, options, snapshot.CaptureTarget,
        question.Answer ?? new ObjectAnswer<ObjectDocument>(null, null, snapshot.Missing.FirstOrDefault(m => m.Kind == MissingKind.ManagedHalf)
            ?? MissingData.Of(MissingKind.Runtime)),
        ObjectReport.Write);
}
