using System.CommandLine;
using System.CommandLine.Parsing;
using Dump.Fetching.Feeds;

namespace Dump.Cli.Options;

/// <summary>Options on getting what a dump lacks here. Without them no network is touched.</summary>
internal sealed class FetchOptions
{
    /// <summary>Name of the command that only fetches.</summary>
    public const string CommandName = "fetch";

    public Option<bool> Fetch { get; } = new("--fetch")
    {
        Description = "First get what is missing here: the data-access library of the process' .NET runtime from your NuGet feed, PDB and image files from the "
            + "servers of the symbol path. Lists what it is and asks; see dumpanalyze fetch --help.",
    };

    public Option<bool> Yes { get; } = new("--yes") { Description = "Download without asking." };

    public Option<string[]> Feed { get; } = new("--feed")
    {
        Description = "Ask this NuGet feed (https address of its index.json, or a directory with packages) and not those of your NuGet configuration. "
            + "May be repeated.",
        HelpName = "URL",
    };

    public FetchOptions() => Feed.Validators.Add(CheckFeeds);

    /// <summary>Adds them to a command that analyses.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(Fetch);
        command.Options.Add(Yes);
        command.Options.Add(Feed);
        command.Validators.Add(Check);
    }

    /// <summary>Adds them to the command that only fetches.</summary>
    public void AddWithoutSwitchTo(Command command)
    {
        command.Options.Add(Yes);
        command.Options.Add(Feed);
    }

    /// <summary>The package sources to ask.</summary>
    public IReadOnlyList<PackageSource> Sources(ParseResult parsed) => parsed.GetValue(Feed) is { Length: > 0 } given
        ? [.. given.Select(f => new PackageSource(f, f))]
        : ConfiguredSources.Read(ConfiguredSources.Files());

    private void Check(CommandResult command)
    {
        bool fetches = GivenValue.Of(command, Fetch);
        if (!fetches && (GivenValue.Of(command, Yes) || command.GetResult(Feed) is { Tokens.Count: > 0 }))
        {
            command.AddError($"{(GivenValue.Of(command, Yes) ? "--yes" : "--feed")} belongs to --fetch; add --fetch.");
        }
        else if (fetches && !GivenValue.Of(command, Yes) && !CanAsk)
        {
            command.AddError("--fetch asks before it downloads, and here is no terminal to ask at; add --yes.");
        }
    }

    /// <summary>True when somebody can be asked.</summary>
    public static bool CanAsk => !Console.IsInputRedirected && !Console.IsErrorRedirected;

    private static void CheckFeeds(OptionResult result)
    {
        foreach (Token token in result.Tokens)
        {
            if (FeedAddress.Problem(token.Value) is { } problem)
            {
                result.AddError($"--feed {token.Value}: {problem}.");
            }
        }
    }
}
