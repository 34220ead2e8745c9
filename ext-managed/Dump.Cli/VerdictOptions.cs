using System.CommandLine;
using Dump.Model;

namespace Dump.Cli;

/// <summary>Options of every command that ends in a verdict.</summary>
/// <param name="dump">Options on form and colours.</param>
internal sealed class VerdictOptions(DumpOptions dump)
{
    /// <summary>Form and colours.</summary>
    public DumpOptions Dump { get; } = dump;

    /// <summary>Which stacks to print.</summary>
    public Option<StackSelection?> Stacks { get; } = ChoiceOption.Create<StackSelection>("--stacks", "Stacks to print: evidence (default) or all", "evidence", "all");

    /// <summary>What makes the exit code tell.</summary>
    public Option<Confidence?> FailOn { get; } = ChoiceOption.Create<Confidence>(
        "--fail-on", "Weakest confidence that makes the exit code tell: confirmed, likely (default) or suspected", "confirmed", "likely", "suspected");

    /// <summary>Adds those for the verdict alone.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(Stacks);
        command.Options.Add(FailOn);
    }
}
