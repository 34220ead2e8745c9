using System.CommandLine;
using Dump.Cli.Options;
using Dump.Cli.Running;
using Dump.Clr.Objects;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Readers.ElfCore;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze stackobjects FILE TID</c>: the managed objects that a thread's stack refers to.</summary>
internal static class StackObjectsCommand
{
    public static Command Create()
    {
        DumpOptions options = new();
        Argument<ThreadReference?> thread = new("TID")
        {
            Description = "Thread, by its number or id as reports print them: 1, ~1, 0xc4 or c4, on Linux 4711.",
            Arity = ArgumentArity.ExactlyOne,
            CustomParser = OptionValue.Thread,
        };
        Command command = new("stackobjects", """
            Lists the managed objects that a thread's stack and registers refer to, frame by frame. The garbage collector
            would keep them alive. Values that only look like references are left out.

            Example:
              dumpanalyze stackobjects hang.core 0x1a4
            """);
        options.AddWithRuntimeTo(command);
        command.Arguments.Add(thread);
        BackgroundAction.Set(command, (parsed, cancellation) =>
        {
            string path = parsed.GetRequiredValue(options.File);
            if (parsed.GetRequiredValue(thread)!.Find(options.Open(path, parsed).Threads(),
                ElfCoreFile.IsElf(path) ? OperatingSystemFamily.Linux : OperatingSystemFamily.Windows, out string? problem) is not { } id)
            {
                Console.Error.WriteLine($"dumpanalyze: {problem}");
                return ExitCode.Usage;
            }

            FetchRun.Before(path, parsed, options, cancellation);
            ObjectAnswer<StackObjectDocument> answer = ObjectQuestions.OnStack(path, options.Settings(parsed).Managed, id);
            return AnswerOutput.Write(parsed, options, AnswerOutput.OfDump(path), answer, StackObjectsReport.Write);
        });
        return command;
    }
}
