using System.CommandLine;
using System.Runtime.InteropServices;
using Dump.Cli.Options;
using Dump.Cli.Serving;
using Dump.Cli.Usage;
using Dump.Model.Contract;
using Dump.Triage.Children;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze mcp --root DIR</c>: a server for AI assistants, by the Model Context Protocol on standard input and output.</summary>
internal static class McpCommand
{
    /// <summary>Its name.</summary>
    public const string Name = "mcp";

    public static Command Create()
    {
        ServerSettings settings = new();
        TeachingCommand command = new(
            Name,
            "Lets an AI assistant ask about the dumps of a folder: a server of the Model Context Protocol (MCP) on standard input and output.",
            """
            Lets an AI assistant ask about dumps, by the Model Context Protocol (MCP) on standard input and output. The
            assistant starts this command and ends it. At a terminal it only waits for requests.

            Its tools are commands of this program: verdict, lockchain, threads, tasks, object, stackobjects, dictloop,
            locks, explain, triage_overview. It reads files below --root and no others, each in a process of its own with
            limits. It inspects no live process and needs no network. The contents of strings of a dumped process are left
            out unless --allow-strings is given.

            Entry in the configuration of most assistants:
              {
                "mcpServers": {
                  "dumpanalyze": {
                    "command": "dumpanalyze",
                    "args": ["mcp", "--root", "/srv/dumps"]
                  }
                }
              }

            Examples:
              claude mcp add dumpanalyze -- dumpanalyze mcp --root /srv/dumps
              dumpanalyze mcp --root /srv/dumps --root /srv/triage --timeout 5min
              dumpanalyze mcp --root dumps --dac /opt/runtimes/8.0.11

            What to share, and what a dump may hold: docs/ai.md.

            Exit code: 0 standard input has ended, or Ctrl+C; 2 wrong usage, 1 error of this program.
            """);
        settings.AddTo(command);
        command.SetAction(async (parsed, cancellation) =>
        {
            using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
            using PosixSignalRegistration interrupt = EndBy(PosixSignal.SIGINT, end);
            using PosixSignalRegistration terminate = EndBy(PosixSignal.SIGTERM, end);
            using PosixSignalRegistration hangUp = EndBy(PosixSignal.SIGHUP, end);
            ServedFolders folders = new(parsed.GetRequiredValue(settings.Roots));
            using AnalysisRunner runner = new(
                new ChildLimits(settings.Timeout(parsed), settings.Memory(parsed)), settings.Jobs(parsed), parsed.GetValue(settings.AllowStrings), folders);

            // Standard output belongs to the protocol.
            Console.SetOut(Console.Error);
            await Console.Error.WriteLineAsync(
                $"{CommandLines.Program}: answers for {string.Join(", ", folders.Names)} until standard input ends").ConfigureAwait(false);
            await new ProtocolServer(ServedTools.All(settings.Reading(parsed)), folders, runner).RunAsync(end.Token).ConfigureAwait(false);
            return ExitCode.Success;
        });
        return command;
    }

    private static PosixSignalRegistration EndBy(PosixSignal signal, CancellationTokenSource end) => PosixSignalRegistration.Create(signal, context =>
    {
        context.Cancel = true;
        end.Cancel();
    });
}
