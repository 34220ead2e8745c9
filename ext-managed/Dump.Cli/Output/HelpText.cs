using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Parsing;
using Dump.Cli.Options;

namespace Dump.Cli.Output;

/// <summary>Prepares what the command-line library prints as help.</summary>
internal static class HelpText
{
    /// <summary>Makes the help of the command that was given say all of that command and no more, in lines that end between words.</summary>
    /// <param name="parsed">The command line.</param>
    public static void Prepare(ParseResult parsed)
    {
        RootCommand root = (RootCommand)parsed.RootCommandResult.Command;
        if (parsed.Action is HelpAction help)
        {
            help.MaxWidth = TerminalWidth.Columns ?? TerminalWidth.Page;
        }

        if (parsed.CommandResult.Command != root)
        {
            // The help of a command would show the arguments of those above it as its own.
            for (CommandResult? above = parsed.CommandResult.Parent as CommandResult; above is not null; above = above.Parent as CommandResult)
            {
                foreach (Argument argument in above.Command.Arguments)
                {
                    argument.Hidden = true;
                }
            }

            (parsed.CommandResult.Command as TeachingCommand)?.Teach();
            return;
        }

        // The list of commands has room for what each does, not for its examples.
        foreach (Command command in root.Subcommands)
        {
            command.Description = command.Description?.Split("\n\n")[0].ReplaceLineEndings(" ");
        }
    }
}
