using Dump.Analysis;
using Dump.Clr;
using Dump.Clr.Runtimes;
using Dump.Clr.Wine;
using Dump.Model.Process;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Files;
using Dump.Readers.Linux;
using Dump.Readers.Minidump;
using Dump.Readers.Stores;
using Dump.Readers.Symbols.Portable;
using Dump.Readers.Windows;

namespace Dump.Engine;

/// <summary>
/// One dump, or one process in a debugger, about which questions are answered. Nothing is kept open between them. For one question at a time.
/// </summary>
/// <remarks><c>foreach (Verdict verdict in DumpSession.Open("hang.dmp").Judge().Verdicts) ...</c></remarks>
public sealed class DumpSession
{
    private const string WindowsRuntime = "coreclr.dll";
    private readonly ReadingSettings _settings;
    private readonly StandingProcess? _process;
    private readonly IStandingProcessReader? _debugger;

    private DumpSession(string path, ReadingSettings settings, StandingProcess? process = null, IStandingProcessReader? debugger = null) =>
        (Path, _settings, _process, _debugger) = (path, settings, process, debugger);

    /// <summary>The file, or what the debugger calls the moment.</summary>
    public string Path { get; }

    /// <summary>Where the files lie that a Windows dump names: with Wine on the drives of its prefix.</summary>
    public ProcessFiles FilesOfWindows => OperatingSystem.IsWindows() ? ProcessFiles.Here : ProcessFiles.OfWine(_settings.Wine?.Prefix);

    /// <summary>A session on a Windows minidump or a Linux core. It is read when something is asked.</summary>
    /// <param name="path">The file.</param>
    /// <param name="settings">What to read it with; null for nothing besides.</param>
    public static DumpSession Open(string path, ReadingSettings? settings = null) => new(path, settings ?? new ReadingSettings());

    /// <summary>A session on a process that stands still in a debugger.</summary>
    /// <param name="process">The moment.</param>
    /// <param name="debugger">Answers what is asked.</param>
    /// <param name="settings">What to read it with; null for nothing besides.</param>
    public static DumpSession Open(StandingProcess process, IStandingProcessReader debugger, ReadingSettings? settings = null) =>
        new(process.Name, settings ?? new ReadingSettings(), process, debugger);

    /// <summary>Where the files lie that a core names, and whose are opened.</summary>
    public static ProcessFiles FilesOf(ElfCoreFile core) => ProcessFiles.Here.Of(FileOwners.With(core.Owner is { } owner ? [owner] : []));

    /// <summary>Reads and judges it.</summary>
    /// <param name="rules">By which rules; null for all of this program.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <exception cref="Readers.InvalidDumpException">It cannot be read; the message says why.</exception>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public Judgement Judge(JudgingRules? rules = null, IProgress<string>? progress = null, CancellationToken cancellation = default)
    {
        rules ??= new JudgingRules();
        ProcessSnapshot snapshot = Read(ManagedQuestions.OfVerdict, progress, cancellation);
        return new Judgement(snapshot, HangAnalysis.Run(snapshot, rules.Options, rules.Only, rules.Own));
    }

    /// <summary>Reads its facts.</summary>
    /// <param name="questions">What to look for in the managed half besides; null for nothing.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <exception cref="Readers.InvalidDumpException">It cannot be read; the message says why.</exception>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public ProcessSnapshot Read(ManagedQuestions? questions = null, IProgress<string>? progress = null, CancellationToken cancellation = default)
    {
        string? conditions = _settings.Kept is null ? null : _settings.Conditions();
        ProcessSnapshot snapshot = conditions is null ? Whole(questions) : _settings.Kept!.Get(State(), conditions, questions, Whole);
        return _settings.WithholdsStrings ? ProcessStrings.Withhold(snapshot) : snapshot;

        ProcessSnapshot Whole(ManagedQuestions? asked) =>
            IsCore ? ReadCore(asked, progress, cancellation) : ReadMinidump(asked, conditions, progress, cancellation);
    }

    /// <summary>Makes sure that it is a dump, where the rest is left to a reader of its managed half.</summary>
    /// <exception cref="Readers.InvalidDumpException">It is none, or cannot be read.</exception>
    public void Check()
    {
        using IDisposable dump = IsCore ? ElfCoreFile.Open(Path) : OpenMinidump();
    }

    /// <summary>Number and system id of each thread, without their stacks.</summary>
    /// <exception cref="Readers.InvalidDumpException">It is no dump, or cannot be read.</exception>
    public IReadOnlyCollection<(int Number, uint Id)> Threads()
    {
        if (IsCore)
        {
            using ElfCoreFile core = ElfCoreFile.Open(Path);
            return [.. LinuxSnapshotReader.Read(core, Name, ContainerCore.Of(core)).Threads.Select(t => (t.Index, t.Id))];
        }

        using MinidumpFile dump = OpenMinidump();
        return [.. dump.Threads.Select(t => (t.Index, t.Id))];
    }

    private string Name => System.IO.Path.GetFileName(Path);

    private bool IsCore => _process is null && ElfCoreFile.IsElf(Path);

    private MinidumpFile OpenMinidump() => _process is null ? MinidumpFile.Open(Path) : _process.Open(_debugger!);

    /// <summary>Which dump it is, in which state; of a process each moment has a name of its own.</summary>
    private string State()
    {
        if (_process is not null)
        {
            return $"process\0{Path}";
        }

        FileInfo file = new(Path);
        return file.Exists ? $"{file.FullName}\0{file.Length}\0{file.LastWriteTimeUtc.Ticks}\0{file.CreationTimeUtc.Ticks}" : "";
    }

    /// <param name="questions">What to look for in the managed half besides.</param>
    /// <param name="conditions">Under which conditions the native half is kept; null where nothing is.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading.</param>
    private ProcessSnapshot ReadMinidump(ManagedQuestions? questions, string? conditions, IProgress<string>? progress, CancellationToken cancellation)
    {
        using MinidumpFile dump = OpenMinidump();
        PassBy(OperatingSystem.IsWindows() && dump.Modules.Any(m => string.Equals(m.Name, WindowsRuntime, StringComparison.OrdinalIgnoreCase)));
        ProcessSnapshot read = conditions is null ? Native() : _settings.Kept!.Native(conditions, Native);
        ClrReadOptions managed = Managed(questions);
        using Stream? stream = _process is null ? null : dump.AsStream();
        ProcessSnapshot snapshot = OperatingSystem.IsWindows()
            ? stream is null ? ClrSnapshotReader.Read(read, Path, managed, progress, cancellation, dump)
                : ClrSnapshotReader.Read(read, stream, managed, progress, cancellation, dump)
            : _settings.Wine is { } wine ? WineSnapshotReader.Read(read, Path, managed, wine, progress, cancellation)
            : WindowsRuntimes.StateMissing(read);
        snapshot = ManagedLines.Add(snapshot, _settings.SymbolDirectories, dump, FilesOfWindows, _settings.Files.Cabinets, cancellation);

        // The managed half survives what it cannot read, and would be taken for one that lacks something.
        _debugger?.ThrowIfFailed();
        return snapshot;

        ProcessSnapshot Native() => WindowsSnapshotReader.Read(dump, Name, _settings.Files, progress, cancellation);
    }

    private ProcessSnapshot ReadCore(ManagedQuestions? questions, IProgress<string>? progress, CancellationToken cancellation)
    {
        using ElfCoreFile core = ElfCoreFile.Open(Path);
        PassBy(core.MappedFiles.Any(f => ClrLibrary.Is(f.Path)));
        IReadOnlyList<string> images = _settings.Files.ImageDirectories;
        ContainerCore? container = ContainerCore.Of(core, images);
        ProcessSnapshot native = LinuxSnapshotReader.Read(core, Name, container, images);
        ClrReadOptions managed = Managed(questions) with { Files = FilesOf(core) };
        using Stream? changed = container?.Open(Path);
        ProcessSnapshot snapshot = changed is null ? ClrSnapshotReader.Read(native, Path, managed, progress, cancellation, core)
            : ClrSnapshotReader.Read(native, changed, managed, progress, cancellation, core);
        return ManagedLines.Add(snapshot, _settings.SymbolDirectories, core, FilesOf(core), cancellation: cancellation);
    }

    private ClrReadOptions Managed(ManagedQuestions? questions) => (questions ?? new ManagedQuestions()).AddTo(_settings.Managed);

    /// <summary>Ends the reading of a dump early that another process is to read: this one has loaded a library, and the dump needs none.</summary>
    /// <exception cref="OtherLibraryException">That is so.</exception>
    private void PassBy(bool needsLibrary)
    {
        if (!needsLibrary)
        {
            _settings.Managed.Gate?.PassBy();
        }
    }
}
