using System.CommandLine;

namespace Dump.Cli.Options;

/// <summary>Options of <c>dumpanalyze triage --watch</c>.</summary>
internal sealed class WatchSettings
{
    /// <summary>The option that asks for a watch.</summary>
    public const string Name = "--watch";

    private const int MostExamples = 1_000_000;

    public Option<bool> Watch { get; } = new(Name)
    {
        Description = "Continue: take new dumps of the folders as they come, each when it is whole. Ends by Ctrl+C or SIGTERM, with exit code 0.",
    };

    public Option<Uri?> Url { get; } = NoticeOptions.Url(
        "With --watch: post a JSON document to URL (http or https) for each class of hang or crash that comes for the first time.");

    public Option<string?> Program { get; } = NoticeOptions.Program(
        "With --watch: start PROGRAM for each class of hang or crash that comes for the first time, without a shell and without arguments. "
            + "The JSON document comes on its standard input.");

    public Option<string?> Notices { get; } = new("--notices")
    {
        Description = "With --notify-...: remember in FILE the classes that were sent, so that each is sent once (default: notices.txt in the folder of --out).",
        HelpName = "FILE",
    };

    public Option<int?> Prune { get; } = new("--prune")
    {
        Description = "With --watch: DELETE dumps of a class of hang or crash of which N others are there. Records stay. Never without this option.",
        HelpName = "N",
        CustomParser = OptionValue.Whole(1, MostExamples, "number of dumps"),
    };

    public OutputOption Metrics { get; } = new("--metrics",
        "With --watch: write the state to FILE in Prometheus' text format after each look, for the text file collector of its node exporter.");

    public void AddTo(Command command, Option store)
    {
        Option[] all = [Url, Program, Notices, Prune, Metrics];
        command.Options.Add(Watch);
        foreach (Option option in all)
        {
            command.Options.Add(option);
        }

        command.Validators.Add(result =>
        {
            bool Has(Option option) => result.GetResult(option) is { Implicit: false };
            if (!GivenValue.Of(result, Watch) && all.FirstOrDefault(Has) is { } lone)
            {
                result.AddError($"{lone.Name} is an option of a watch; add --watch.");
            }

            NoticeOptions.Check(result, Url, Program);
            if (Has(Notices) && !Has(Url) && !Has(Program))
            {
                result.AddError("--notices keeps what was told; add --notify-url URL or --notify-command PROGRAM.");
            }

            if (Has(store) && !Has(Notices) && (Has(Url) || Has(Program)))
            {
                result.AddError("--notices is missing: with --store no folder keeps what was told; add --notices FILE.");
            }
        });
    }
}
