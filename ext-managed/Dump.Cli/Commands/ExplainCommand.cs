using System.CommandLine;
using System.CommandLine.Parsing;
using Dump.Analysis;
using Dump.Analysis.Detection;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Usage;
using Dump.Model.Contract;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze explain ID</c>: the page on a detector, which this program carries with it.</summary>
internal static class ExplainCommand
{
    /// <summary>Name of the command.</summary>
    public const string Name = "explain";

    public static Command Create()
    {
        DumpOptions options = new();
        Argument<DetectorDescriptor[]> detector = new("ID")
        {
            Description = $"Id of the detector, such as {DetectorIds.CannotAnswer}, or its number. Several ids print several pages. "
                + "Without it all are listed.",
            HelpName = "ID",
            Arity = ArgumentArity.ZeroOrMore,
            CustomParser = Find,
        };
        detector.CompletionSources.Add(_ => DetectorRegistry.Descriptors.Select(d => new System.CommandLine.Completions.CompletionItem(d.Id)));
        Command command = new(Name, "Prints the page on a detector: what it finds, on what evidence, what it may get wrong, and how to fix such a hang.");
        command.Arguments.Add(detector);
        command.Options.Add(options.NoColor);
        command.SetAction(parsed =>
        {
            ReportOutput.Page(parsed, options, (output, style) =>
            {
                if (parsed.GetValue(detector) is not { Length: > 0 } found)
                {
                    WriteList(output);
                    return;
                }

                foreach (DetectorDescriptor one in found)
                {
                    if (one != found[0])
                    {
                        output.WriteLine();
                    }

                    MarkdownText.Write(Page(one.Id), output, style);
                }
            });
            return ExitCode.Success;
        });
        return command;
    }

    /// <summary>The Markdown of the page on a detector.</summary>
    private static string Page(string id)
    {
        using Stream stream = typeof(ExplainCommand).Assembly.GetManifestResourceStream($"{id}.md")
            ?? throw new InvalidOperationException($"There is no page on {id}.");
        using StreamReader reader = new(stream);
        return reader.ReadToEnd();
    }

    private static void WriteList(TextWriter output)
    {
        foreach (DetectorDescriptor detector in DetectorRegistry.Descriptors)
        {
            output.WriteLine($"{detector.Id}  {detector.Title}");
        }

        output.WriteLine();
        output.WriteLine("To read one of these pages: dumpanalyze explain ID");
    }

    private static DetectorDescriptor[] Find(ArgumentResult argument) =>
        [.. argument.Tokens.Select(t => Find(argument, t.Value)).OfType<DetectorDescriptor>().DistinctBy(d => d.Id)];

    private static DetectorDescriptor? Find(ArgumentResult argument, string given)
    {
        string id = given.StartsWith(DetectorIds.Start, StringComparison.OrdinalIgnoreCase) ? given : DetectorIds.Start + given;
        IReadOnlyList<DetectorDescriptor> all = [.. DetectorRegistry.Descriptors];
        if (all.FirstOrDefault(d => d.Id.Equals(id, StringComparison.OrdinalIgnoreCase)) is { } found)
        {
            return found;
        }

        DetectorDescriptor? near = given.Length == 0 ? null : all.FirstOrDefault(d => d.Title.Contains(given, StringComparison.OrdinalIgnoreCase))
            ?? all.FirstOrDefault(d => d.Id == Spelling.Nearest(id, all.Select(a => a.Id)));
        argument.AddError(near is null
            ? $"there is no page on '{given}'; to list all: dumpanalyze explain"
            : $"there is no page on '{given}'; did you mean: dumpanalyze explain {near.Id} ({near.Title})?");
        return null;
    }
}
