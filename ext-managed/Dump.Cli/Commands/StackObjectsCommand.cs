using System.CommandLine;
using Dump.Cli.Options;
using Dump.Cli.Running;
using Dump.Clr.Objects;
using Dump.Model.Reported;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze stackobjects FILE TID</c>: the managed objects that a thread's stack refers to.</summary>
internal static class StackObjectsCommand
{
    public static Command Create()
    {
        DumpOptions options = new();
        Argument<uint?> thread = new("TID")
        {
            Description = "Thread id, decimal or 0x hexadecimal.",
            CustomParser = OptionValue.ThreadId,
        };
        Command command = new("stackobjects", """
            Lists the managed objects that a thread's stack and registers refer to, frame by frame: what the garbage
            collector would keep alive for it, without values that only look like references.

            Example:
              dumpanalyze stackobjects hang.core 0x1a4
            """);
        options.AddWithRuntimeTo(command);
        command.Arguments.Add(thread);
        BackgroundAction.Set(command, (parsed, _) =>
        {
            DumpLoader.Check(parsed.GetRequiredValue(options.File));
            ObjectAnswer<StackObjectDocument> answer = ObjectQuestions.OnStack(
                parsed.GetRequiredValue(options.File), options.ClrOptions(parsed), parsed.GetValue(thread) ?? 0);
            return AnswerOutput.Write(parsed, options, answer, StackObjectsReport.Write);
        });
        return command;
    }
}
