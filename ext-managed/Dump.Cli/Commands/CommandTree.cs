using System.CommandLine;
using Dump.Cli.Context;

namespace Dump.Cli.Commands;

/// <summary>All commands of the program, in the order in which help shows them.</summary>
internal static class CommandTree
{
    /// <summary>Makes them anew: parsing and help change what they have parsed and shown.</summary>
    /// <param name="context">What the run goes by besides its command line.</param>
    public static RootCommand Create(RunContext context)
    {
        RootCommand root = AnalyzeCommand.CreateRoot(context);
        foreach (Command command in new[]
        {
            LiveCommand.Create(), WatchCommand.Create(), LockChainCommand.Create(), LocksCommand.Create(), ThreadsCommand.Create(), TasksCommand.Create(),
            RequestsCommand.Create(), DictLoopCommand.Create(), RawCommand.Create(), ObjectCommand.Create(), StackObjectsCommand.Create(), TriageCommand.Create(),
            MergeCommand.Create(), McpCommand.Create(), FetchCommand.Create(), DetectorsCommand.Create(), ExplainCommand.Create(),
            CompletionsCommand.Create(), ManCommand.Create(), ManagedHalfCommand.Create(), UnpackCabinetCommand.Create(), SessionCommand.Create(),
            WorkerCommand.Create(), HoldProcessCommand.Create(),
        })
        {
            root.Subcommands.Add(command);
        }

        return root;
    }
}
