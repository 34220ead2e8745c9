using System.CommandLine;
using System.CommandLine.Parsing;
using Dump.Analysis.Looks;
using Dump.Cli.Context;
using Dump.Cli.Usage;
using Dump.Clr.Runtimes;
using Dump.Clr.Wine;
using Dump.Engine;
using Dump.Readers.Symbols;
using Dump.Readers.Windows;
using Dump.Triage.Archives;

namespace Dump.Cli.Options;

/// <summary>Options that every command on a dump has.</summary>
internal sealed class DumpOptions
{
    public Argument<string> File { get; } = new("FILE")
    {
        Description = "Dump of a process: a Windows minidump (procdump -ma PID) or a Linux core (dotnet-dump collect -p PID, or gcore PID "
            + "for native code). Also a zip archive or a cabinet with one dump in it, or one packed by gzip.",
    };

    public Argument<string[]> Further { get; } = new("SECOND")
    {
        Description = "Second dump of the same process, taken some seconds later (procdump -ma -n 2 -s 10 PID), or all further ones, 16 dumps at most. "
            + "Shows what does not move and what is only slow.",
        Arity = new ArgumentArity(0, SnapshotSeries.MostSnapshots - 1),
    };

    public Option<string[]> Images { get; } = new("--images")
    {
        Description = "Take the process' EXE and DLL files from DIR, for dumps without image pages (matched by time stamp and size). "
            + "On Linux: its programs and libraries (by build id). May be repeated.",
        HelpName = "DIR",
    };

    public Option<string?> Dac { get; } = new("--dac")
    {
        Description = "Take the process' own .NET runtime from DIR (libcoreclr.so and libmscordaccore.so, or mscordaccore.dll) where it is not installed here. "
            + "Code from DIR is run: name only a directory you trust.",
        HelpName = "DIR",
    };

    public Option<string?> Wine { get; } = new("--wine")
    {
        Description = "On Linux: read the managed half of Windows dumps under Wine, with the win-x64 build of this program (dumpanalyze.exe or its directory).",
        HelpName = "DIR",
    };

    public Option<string> Symbols { get; } = new("--symbols")
    {
        Description = "Look for PDB files along PATH, in the form of _NT_SYMBOL_PATH (the default): directories separated by semicolons, srv*CACHE*URL. "
            + "Reads local directories and caches only. Its servers are asked with --fetch alone.",
        HelpName = "PATH",
    };

    /// <summary>Names of the two options that limit an analysis.</summary>
    public const string TimeoutName = "--timeout", MemoryName = "--memory";

    public Option<TimeSpan?> Timeout { get; } = new(TimeoutName)
    {
        Description = "Let the analysis take at most TIME, 1s to 24h (default 10min, and 1min more for each GiB of the dump). What the runtime's data-access "
            + "library cannot read within it is left out.",
        HelpName = "TIME",
        CustomParser = OptionValue.Time(TimeSpan.FromSeconds(1), TimeSpan.FromHours(24), "time limit", "a time from 1s to 24h such as 90s or 5min"),
    };

    public Option<long?> Memory { get; } = new(MemoryName)
    {
        Description = "Let the analysis use at most SIZE of memory, 256M to 1024G. Default: 4G and twice the dump's size, as far as the machine has it.",
        HelpName = "SIZE",
        CustomParser = OptionValue.Size(256L << 20, 1L << 40, "memory limit", "a size from 256M to 1024G such as 512M or 4G"),
    };

    public Option<OutputFormat?> Format { get; } = ChoiceOption.Create<OutputFormat>(
        "--format", "Print text (default), json, or dml (text with WinDbg's links).", "text", "json", "dml");

    /// <summary>Asked by the debugger extension, which can write another snapshot of the process with all of its memory.</summary>
    public Option<bool> FirstLook { get; } = new("--first-look")
    {
        Description = "The dump is a small snapshot of a process that still runs: exit with 13 whenever more of its memory might change the answer.",
        Hidden = true,
    };

    /// <summary>Given by the debugger extension: what the debugger has opened for the modules.</summary>
    public Option<string[]> ModuleFiles { get; } = new("--module-file")
    {
        Description = "A PDB or image file that a debugger has opened for a module of the dump. May be repeated.",
        HelpName = "FILE",
        Hidden = true,
    };

    /// <summary>Getting what is missing here.</summary>
    public FetchOptions Fetching { get; } = new();

    public Option<bool> NoColor { get; } = new("--no-color") { Description = "Print no colors, even on a terminal (as NO_COLOR does)." };

    public DumpOptions()
    {
        File.Validators.Add(CheckNames);
        Further.Validators.Add(CheckNames);
        Images.Validators.Add(result =>
        {
            foreach (string directory in (result.GetValueOrDefault<string[]>() ?? []).Where(d => !Directory.Exists(d)))
            {
                result.AddError(NoDirectory("--images", directory));
            }
        });
        Symbols.Validators.Add(result =>
        {
            string path = result.GetValueOrDefault<string>() ?? "";
            if (string.IsNullOrWhiteSpace(path))
            {
                result.AddError("--symbols: the path is empty; name a local directory, or leave it out.");
                return;
            }

            SymbolSearchPath symbols = SymbolSearchPath.Parse(path);
            bool fetches = !symbols.Servers.IsEmpty && result.Parent is CommandResult command
                && (GivenValue.Of(command, Fetching.Fetch) || command.Command.Name == FetchOptions.CommandName);
            if (!fetches && !symbols.Directories.Any(Directory.Exists))
            {
                result.AddError($"--symbols {path}: none of its directories exists here, and nothing is fetched without --fetch; name a local directory.");
            }
        });
        Dac.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string?>() is { } directory && !Directory.Exists(directory))
            {
                result.AddError(NoDirectory("--dac", directory));
            }
        });
        Wine.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string?>() is { } program && !WineReadOptions.TryFind(program, out _, out string? problem))
            {
                result.AddError(program.Length == 0 ? "--wine: the name is empty; give the folder of the win-x64 build." : $"--wine {program}: {problem}");
            }
        });
    }

    private static void CheckNames(ArgumentResult result)
    {
        Command? asked = (result.Parent as CommandResult)?.Command;
        Command? command = asked?.Subcommands.FirstOrDefault(c => c.Name == LiveOptions.CommandName);
        string live = command is null ? $"{CommandLines.Program} {LiveOptions.CommandName}" : CommandLines.Path(command);
        foreach (string problem in result.Tokens.Select(t => t.Value == LiveOptions.CommandName && !Path.Exists(t.Value)
            ? $"{asked?.Name} reads dumps; for a live process: {live} PID --stacks all" : DumpName.Problem(t.Value, live, RunContext.Of(result))).OfType<string>())
        {
            result.AddError(problem);
        }
    }

    private static string NoDirectory(string option, string path) =>
        path.Length == 0 ? $"{option}: the name is empty; give a directory."
        : $"{option} {path}: {(System.IO.File.Exists(path) ? "this is a file; name the directory it lies in"
            : "there is no such directory; give the one that the files lie in")}.";

    /// <summary>Adds those that every command has.</summary>
    public void AddTo(Command command)
    {
        command.Arguments.Add(File);
        command.Options.Add(Images);
        command.Options.Add(Format);
        command.Options.Add(NoColor);
    }

    /// <summary>How to read dumps, from a parsed command line.</summary>
    public ReadingSettings Settings(ParseResult parsed)
    {
        var context = RunContext.Of(parsed);
        return new ReadingSettings
        {
            Files = new WindowsReadOptions
            {
                ImageDirectories = parsed.GetValue(Images) ?? [],
                ModuleFiles = parsed.GetValue(ModuleFiles) ?? [],
                SymbolPath = parsed.GetValue(Symbols) ?? context.SymbolPath,
                Cabinets = OperatingSystem.IsWindows() ? new WindowsCabinets() : null,
            },
            Managed = new ClrReadOptions
            {
                DacDirectory = parsed.GetValue(Dac),
                Crash = context.Crash,
                IsCareful = context.Mark.IsCareful,
                CanFetch = parsed.CommandResult.Command.Options.Contains(Fetching.Fetch),
                Gate = context.Gate,
                OnStall = context.OnStall,
            },
            Wine = parsed.GetValue(Wine) is { } program && WineReadOptions.TryFind(program, out WineReadOptions? wine, out _) ? wine : null,
            WithholdsStrings = context.Mark.WithholdsStrings,
            Kept = context.Kept,
        };
    }

    /// <summary>A session of the engine on a dump, or on the process in a debugger that has its name.</summary>
    /// <param name="path">The name.</param>
    /// <param name="parsed">The command line.</param>
    /// <param name="settings">How to read it; null for what the command line says.</param>
    public DumpSession Open(string path, ParseResult parsed, ReadingSettings? settings = null)
    {
        settings ??= Settings(parsed);
        return RunContext.Of(parsed) is var context && context.IsProcess(path)
            ? DumpSession.Open(context.Process!, context.Debugger!, settings)
            : DumpSession.Open(path, settings);
    }

    /// <summary>The dump that a command line names for reading with its managed half, or null.</summary>
    public static string? FileOf(ParseResult parsed) =>
        parsed.CommandResult.Command.Options.Any(o => o.Name == "--dac") && parsed.CommandResult.Command.Arguments.FirstOrDefault() is Argument<string> file
            ? parsed.GetValue(file)
            : null;

    /// <summary>All dumps that a command line names.</summary>
    public static IEnumerable<string> FilesOf(ParseResult parsed) => FileOf(parsed) is not { } first ? []
        : parsed.CommandResult.Command.Arguments.OfType<Argument<string[]>>().SelectMany(a => parsed.GetValue(a) ?? []).Prepend(first);

    /// <summary>True for a command whose analyses have limits of time and memory: not for one that only downloads, and asks first.</summary>
    public static bool HasLimits(ParseResult parsed) => parsed.CommandResult.Command.Options.Any(o => o.Name == TimeoutName);

    /// <summary>Adds symbol path and runtime as well, for commands that name functions.</summary>
    public void AddWithSymbolsTo(Command command)
    {
        AddTo(command);
        command.Options.Add(Symbols);
        command.Options.Add(ModuleFiles);
        command.Options.Add(Dac);
        command.Options.Add(Wine);
        AddLimitsTo(command);
        Fetching.AddTo(command);
    }

    /// <summary>Adds the limits of an analysis.</summary>
    public void AddLimitsTo(Command command)
    {
        command.Options.Add(Timeout);
        command.Options.Add(Memory);
    }

    /// <summary>Adds those that say how dumps are read, for a command that gets their names in another way.</summary>
    public void AddReadingTo(Command command)
    {
        command.Options.Add(Images);
        command.Options.Add(Symbols);
        command.Options.Add(Dac);
        command.Options.Add(Wine);
    }

    /// <summary>Adds those of the command that only fetches.</summary>
    public void AddForFetchTo(Command command)
    {
        command.Arguments.Add(File);
        AddReadingTo(command);
        Fetching.AddWithoutSwitchTo(command);
    }

    /// <summary>Adds the runtime, for commands on managed objects.</summary>
    public void AddWithRuntimeTo(Command command)
    {
        command.Arguments.Add(File);
        command.Options.Add(Format);
        command.Options.Add(NoColor);
        command.Options.Add(Dac);
        AddLimitsTo(command);
        Fetching.AddTo(command);
    }
}
