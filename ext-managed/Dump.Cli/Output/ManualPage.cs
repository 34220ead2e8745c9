using System.CommandLine;
using Dump.Cli.Options;
using Dump.Cli.Usage;

namespace Dump.Cli.Output;

/// <summary>The manual in roff (man(7)), made of the same definitions as the help.</summary>
internal static class ManualPage
{
    /// <summary>Writes the manual of all commands that help shows.</summary>
    /// <param name="root">The program's commands.</param>
    /// <param name="version">Version of the program.</param>
    /// <param name="output">Where to write.</param>
    public static void Write(Command root, string version, TextWriter output)
    {
        (string summary, string[] lesson) = Split(root.Description);
        output.WriteLine($".TH DUMPANALYZE 1 \"\" \"dumpanalyze {Text(version)}\"");
        output.WriteLine(".SH NAME");
        output.WriteLine($"dumpanalyze \\- {Text(char.ToLowerInvariant(summary[0]) + summary[1..].TrimEnd('.'))}");
        output.WriteLine(".SH SYNOPSIS");
        foreach (Command command in CommandLines.Below(root).Prepend(root))
        {
            output.WriteLine($".B {Text(CommandLines.Path(command))}");
            output.WriteLine($"{Text(Arguments(command))}");
            output.WriteLine(".br");
        }

        output.WriteLine(".SH DESCRIPTION");
        WriteBlocks(summary, lesson, output);
        output.WriteLine(".SH ARGUMENTS AND OPTIONS");
        WriteItems(root, output);
        output.WriteLine(".SH COMMANDS");
        foreach (Command command in CommandLines.Below(root))
        {
            output.WriteLine($".SS {Text(CommandLines.Path(command))} {Text(Arguments(command))}");
            (string line, string[] blocks) = Split((command as TeachingCommand)?.Lesson ?? command.Description);
            WriteBlocks(line, blocks, output);
            WriteItems(command, output);
        }
    }

    /// <summary>Arguments as a usage line has them, those that may be left out in brackets.</summary>
    private static string Arguments(Command command) => string.Join(' ', command.Arguments
        .Select(a => a.Arity.MaximumNumberOfValues > 1 ? $"{a.Name}..." : a.Name)
        .Zip(command.Arguments, (name, a) => a.Arity.MinimumNumberOfValues == 0 ? $"[{name}]" : name)
        .Concat(command.Options.Where(o => o.Required).Select(CommandLines.Of))
        .Append("[options]"));

    /// <summary>The first block, and all others.</summary>
    private static (string First, string[] Further) Split(string? description) =>
        (description ?? "").ReplaceLineEndings("\n").Split("\n\n") is [var first, .. var rest] ? (first.ReplaceLineEndings(" "), rest) : ("", []);

    private static void WriteBlocks(string first, string[] blocks, TextWriter output)
    {
        output.WriteLine(Text(first));
        foreach (string block in blocks)
        {
            output.WriteLine(".PP");
            bool isExample = false;
            foreach (string line in block.Split('\n'))
            {
                if (isExample != line.StartsWith("  ", StringComparison.Ordinal))
                {
                    output.WriteLine(isExample ? ".fi\n.RE" : ".RS 2\n.nf");
                    isExample = !isExample;
                }

                output.WriteLine(Text(line.Trim()));
            }

            if (isExample)
            {
                output.WriteLine(".fi\n.RE");
            }
        }
    }

    private static void WriteItems(Command command, TextWriter output)
    {
        foreach (Argument argument in command.Arguments)
        {
            WriteItem(argument.Name, argument.Description, output);
        }

        foreach (Option option in command.Options.Where(o => !o.Hidden))
        {
            IEnumerable<string> names = option.Aliases.Where(a => a.StartsWith('-') && a.Length == 2).Append(CommandLines.Of(option));
            WriteItem(string.Join(", ", names), option.Description, output);
        }
    }

    private static void WriteItem(string name, string? description, TextWriter output)
    {
        output.WriteLine(".TP");
        output.WriteLine($".B {Text(name)}");
        output.WriteLine(Text(description ?? ""));
    }

    /// <summary>Text that means nothing to roff; hyphens stay those that can be copied.</summary>
    private static string Text(string text)
    {
        string plain = text.Replace("\\", "\\e", StringComparison.Ordinal).Replace("-", "\\-", StringComparison.Ordinal).ReplaceLineEndings(" ");
        return plain is ['.' or '\'', ..] ? $"\\&{plain}" : plain;
    }
}
