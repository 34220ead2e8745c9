using System.CommandLine;
using System.CommandLine.Parsing;
using Dump.Fetching.DebugFiles;
using Dump.Fetching.Feeds;
using Dump.Model.Contract;

namespace Dump.Cli.Options;

/// <summary>Options on getting what a dump lacks here. Without them no network is touched.</summary>
internal sealed class FetchOptions
{
    /// <summary>Name of the command that only fetches.</summary>
    public const string CommandName = "fetch";

    public Option<bool> Fetch { get; } = new("--fetch")
    {
        Description = "First get what is missing here: the data-access library of the .NET runtime, PDB and image files, Linux debug files. "
            + "Lists what it is and asks. See dumpanalyze fetch --help.",
    };

    public Option<bool> Yes { get; } = new("--yes") { Description = "Download without asking." };

    public Option<string[]> Feed { get; } = new("--feed")
    {
        Description = "Ask this NuGet feed (https address of its index.json, or a directory with packages) and not those of your NuGet configuration. "
            + "May be repeated.",
        HelpName = "URL",
    };

    public Option<string[]> Debuginfod { get; } = new("--debuginfod")
    {
        Description = "Ask this debuginfod server (https address) for debug files of Linux programs and not those of DEBUGINFOD_URLS. May be repeated.",
        HelpName = "URL",
    };

    public FetchOptions()
    {
        Feed.Validators.Add(result => CheckAddresses(result, FeedAddress.Problem));
        Debuginfod.Validators.Add(result => CheckAddresses(result, DebuginfodServers.Problem));
    }

    /// <summary>Adds them to a command that analyses.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(Fetch);
        command.Options.Add(Yes);
        command.Options.Add(Feed);
        command.Options.Add(Debuginfod);
        command.Validators.Add(Check);
    }

    /// <summary>Adds them to the command that only fetches.</summary>
    public void AddWithoutSwitchTo(Command command)
    {
        command.Options.Add(Yes);
        command.Options.Add(Feed);
        command.Options.Add(Debuginfod);
    }

    /// <summary>The debuginfod servers to ask.</summary>
    public IReadOnlyList<Uri> DebugFileServers(ParseResult parsed) => parsed.GetValue(Debuginfod) is { Length: > 0 } given
        ? DebuginfodServers.Parse(string.Join(' ', given))
        : DebuginfodServers.Parse(Environment.GetEnvironmentVariable(EnvironmentVariables.DebuginfodServers));

    /// <summary>The package sources to ask.</summary>
    public IReadOnlyList<PackageSource> Sources(ParseResult parsed) => parsed.GetValue(Feed) is { Length: > 0 } given
        ? [.. given.Select(f => new PackageSource(f, f))]
        : ConfiguredSources.Read(ConfiguredSources.Files());

    private void Check(CommandResult command)
    {
        bool fetches = GivenValue.Of(command, Fetch);
        string? alone = fetches ? null
            : GivenValue.Of(command, Yes) ? Yes.Name
            : ((Option[])[Feed, Debuginfod]).FirstOrDefault(o => command.GetResult(o) is OptionResult { Tokens.Count: > 0 })?.Name;
        if (alone is not null)
        {
            command.AddError($"{alone} belongs to --fetch; add --fetch.");
        }
        else if (fetches && !GivenValue.Of(command, Yes) && !CanAsk)
        {
            command.AddError("--fetch asks before it downloads, and this is not a terminal; add --yes.");
        }
    }

    /// <summary>True when somebody can be asked.</summary>
    public static bool CanAsk => !Console.IsInputRedirected && !Console.IsErrorRedirected;

    private static void CheckAddresses(OptionResult result, Func<string, string?> find)
    {
        foreach (Token token in result.Tokens)
        {
            if (find(token.Value) is { } problem)
            {
                result.AddError($"{result.Option.Name} {token.Value}: {problem}.");
            }
        }
    }
}
