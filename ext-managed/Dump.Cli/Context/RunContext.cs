using System.CommandLine;
using System.CommandLine.Parsing;
using Dump.Clr.Runtimes;
using Dump.Engine;
using Dump.Model.Contract;
using Dump.Triage.Children;

namespace Dump.Cli.Context;

/// <summary>What a run of the program goes by besides its command line: what whoever started it says, and what earlier attempts came to.</summary>
/// <param name="mark">What another process of this program says of it.</param>
internal sealed class RunContext(ChildMark mark)
{
    /// <summary>What another process of this program says of it.</summary>
    public ChildMark Mark { get; } = mark;

    /// <summary>Keeps what was read for the next question of a debugger's session; null in a run that answers one question.</summary>
    public KeptSnapshots? Kept { get; init; }

    /// <summary>The process in a debugger that a name on the command line may stand for; null for none.</summary>
    public StandingProcess? Process { get; init; }

    /// <summary>The debugger that it stands still in.</summary>
    public IStandingProcessReader? Debugger { get; init; }

    /// <summary>Where PDB files are unless the command line says it, in the form of <c>_NT_SYMBOL_PATH</c>; null for nowhere.</summary>
    public string? SymbolPath { get; init; } = Environment.GetEnvironmentVariable(EnvironmentVariables.SymbolPath);

    /// <summary>What lets data-access libraries into this process; null where any may come.</summary>
    public LibraryGate? Gate { get; set; }

    /// <summary>Why there is no managed half in this run: what earlier attempts came to. Null when it is to be read.</summary>
    public string? Crash { get; set; }

    /// <summary>Ends a guarded process whose call into the library comes to no end; null in one that nobody guards.</summary>
    public Action? OnStall { get; set; }

    /// <summary>That of the run whose command line was parsed.</summary>
    public static RunContext Of(ParseResult parsed) => Of(parsed.RootCommandResult);

    /// <summary>The same, while a part of the command line is checked.</summary>
    public static RunContext Of(SymbolResult part)
    {
        SymbolResult top = part;
        while (top.Parent is { } parent)
        {
            top = parent;
        }

        return ((ProgramCommand)((CommandResult)top).Command).Context;
    }

    /// <summary>True where somebody may have typed the command line: it comes from no debugger, assistant or other process of this program.</summary>
    public bool IsTyped => (Process, Kept) == (null, null) && Mark == new ChildMark() && Environment.GetEnvironmentVariable(EnvironmentVariables.ServedFolders) is null;

    /// <summary>Whether a name on the command line is that of a process in a debugger, of which there is no file.</summary>
    public bool IsProcess(string name) => Process?.Name == name;
}
