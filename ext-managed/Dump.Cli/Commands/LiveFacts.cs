using System.CommandLine;
using Dump.Capture;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Clr.Objects;
using Dump.Clr.Runtimes;
using Dump.Engine;
using Dump.Model.Process;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze COMMAND live PID</c>: what a command prints of a dump, of a living process.</summary>
internal static class LiveFacts
{
    /// <summary>Makes the command below another one.</summary>
    /// <param name="description">One sentence, for help.</param>
    /// <param name="questions">What to look for in the managed half besides; null for nothing.</param>
    /// <param name="report">Prints what was read, and returns the exit code.</param>
    /// <param name="own">Arguments and options of the command above that this one has too.</param>
    public static Command Create(
        string description, Func<ParseResult, ManagedQuestions?> questions, Func<ParseResult, DumpOptions, ProcessSnapshot, int> report,
        params ReadOnlySpan<Symbol> own)
    {
        (Command command, LiveOptions options) = Begin(description, own);
        BackgroundAction.Set(command, (parsed, cancellation) => report(parsed, options.Report.Dump, Read(parsed, options, questions(parsed), null, cancellation)));
        return command;
    }

    /// <summary>The same for one object, which is read while the process stands still.</summary>
    /// <param name="description">One sentence, for help.</param>
    /// <param name="question">What is asked about which object.</param>
    /// <param name="report">Prints the answer, and returns the exit code.</param>
    /// <param name="own">Arguments and options of the command above that this one has too.</param>
    public static Command Create(
        string description, Func<ParseResult, ObjectQuestion> question, Func<ParseResult, DumpOptions, ObjectQuestion, ProcessSnapshot, int> report,
        params ReadOnlySpan<Symbol> own)
    {
        (Command command, LiveOptions options) = Begin(description, own);
        BackgroundAction.Set(command, (parsed, cancellation) =>
        {
            ObjectQuestion asked = question(parsed);
            return report(parsed, options.Report.Dump, asked, Read(parsed, options, null, asked, cancellation));
        });
        return command;
    }

    private static (Command Command, LiveOptions Options) Begin(string description, ReadOnlySpan<Symbol> own)
    {
        LiveOptions options = new();
        Command command = new(LiveOptions.CommandName, description);
        options.AddFactOptionsTo(command);
        foreach (Symbol symbol in own)
        {
            if (symbol is Argument argument)
            {
                command.Arguments.Add(argument);
            }
            else
            {
                command.Options.Add((Option)symbol);
            }
        }

        return (command, options);
    }

    /// <summary>Looks once: what a thread does at this moment changes no list.</summary>
    private static ProcessSnapshot Read(
        ParseResult parsed, LiveOptions options, ManagedQuestions? questions, ObjectQuestion? question, CancellationToken cancellation)
    {
        LivingSettings settings = options.Settings(parsed);
        ClrReadOptions managed = (questions ?? new ManagedQuestions()).AddTo(settings.Look.Clr);
        managed = question?.AddTo(managed) ?? managed;
        settings = settings with { AsksShim = false, Look = settings.Look with { Interval = TimeSpan.FromMilliseconds(1), MostStops = 1, Clr = managed } };
        LiveSnapshot live;
        using (TerminalProgress progress = new())
        {
            live = LivingSession.Open(parsed.GetRequiredValue(options.Process), settings).Read(progress, cancellation);
        }

        LiveCommand.TellStop(live);
        return live.Snapshot;
    }
}
