using System.CommandLine;

namespace Dump.Cli.Context;

/// <summary>The root of all commands, with what a run goes by besides its command line.</summary>
/// <param name="description">What help shows.</param>
/// <param name="context">What it goes by.</param>
internal sealed class ProgramCommand(string description, RunContext context) : RootCommand(description)
{
    /// <summary>What the run goes by.</summary>
    public RunContext Context { get; } = context;
}
