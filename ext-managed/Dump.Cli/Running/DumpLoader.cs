using System.CommandLine;
using Dump.Analysis.Withholding;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Clr;
using Dump.Clr.Runtimes;
using Dump.Clr.Wine;
using Dump.Model.Process;
using Dump.Readers.ElfCore;
using Dump.Readers.Files;
using Dump.Readers.Linux;
using Dump.Readers.Minidump;
using Dump.Readers.Stores;
using Dump.Readers.Symbols.Portable;
using Dump.Readers.Windows;

namespace Dump.Cli.Running;

/// <summary>Opens a dump and reads its facts, with progress on a terminal.</summary>
internal static class DumpLoader
{
    /// <summary>Reads the snapshot of the dump that a command line names.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="options">Its options.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <param name="questions">What to look for in the managed half besides; null for nothing.</param>
    /// <exception cref="Readers.InvalidDumpException">The dump cannot be read.</exception>
    public static ProcessSnapshot Load(ParseResult parsed, DumpOptions options, CancellationToken cancellation, ManagedQuestions? questions = null) =>
        Load(parsed.GetRequiredValue(options.File), parsed, options, cancellation, questions);

    /// <summary>Reads the snapshot of a dump.</summary>
    /// <exception cref="Readers.InvalidDumpException">The dump cannot be read.</exception>
    public static ProcessSnapshot Load(
        string path, ParseResult parsed, DumpOptions options, CancellationToken cancellation, ManagedQuestions? questions = null)
    {
        FetchRun.Before(path, parsed, options, cancellation);
        ProcessSnapshot snapshot;
        if (SnapshotCache.Current is { } kept)
        {
            string conditions = ReadingConditions.Of(parsed, options);
            snapshot = kept.Get(path, conditions, questions, asked => Read(path, parsed, options, conditions, cancellation, asked));
        }
        else
        {
            snapshot = Read(path, parsed, options, cancellation, questions);
        }

        return WithheldText.IsAsked ? ProcessStrings.Withhold(snapshot) : snapshot;
    }

    /// <summary>The same with what is here: nothing is fetched before, and nothing kept.</summary>
    /// <exception cref="Readers.InvalidDumpException">The dump cannot be read.</exception>
    public static ProcessSnapshot Read(
        string path, ParseResult parsed, DumpOptions options, CancellationToken cancellation, ManagedQuestions? questions) =>
        Read(path, parsed, options, null, cancellation, questions);

    private static ProcessSnapshot Read(
        string path, ParseResult parsed, DumpOptions options, string? conditions, CancellationToken cancellation, ManagedQuestions? questions) =>
        DescribedProcess.Of(path) is null && ElfCoreFile.IsElf(path)
            ? LoadCore(path, parsed, options, cancellation, questions)
            : LoadMinidump(path, parsed, options, conditions, cancellation, questions);

    /// <summary>Makes sure that a file is a dump, for commands that leave the rest to the managed reader.</summary>
    /// <exception cref="Readers.InvalidDumpException">It is none, or cannot be read.</exception>
    public static void Check(string path)
    {
        using IDisposable dump = ElfCoreFile.IsElf(path) ? ElfCoreFile.Open(path) : MinidumpFile.Open(path);
    }

    /// <summary>Number and system id of each thread of a dump, without their stacks.</summary>
    /// <exception cref="Readers.InvalidDumpException">It is no dump, or cannot be read.</exception>
    public static IReadOnlyCollection<(int Number, uint Id)> Threads(string path)
    {
        if (ElfCoreFile.IsElf(path))
        {
            using ElfCoreFile core = ElfCoreFile.Open(path);
            return [.. LinuxSnapshotReader.Read(core, Path.GetFileName(path), ContainerCore.Of(core)).Threads.Select(t => (t.Index, t.Id))];
        }

        using MinidumpFile dump = MinidumpFile.Open(path);
        return [.. dump.Threads.Select(t => (t.Index, t.Id))];
    }

    /// <summary>Where the files lie that a Windows dump names: with --wine on the drives of the prefix.</summary>
    public static ProcessFiles FilesOf(ParseResult parsed, DumpOptions options) =>
        OperatingSystem.IsWindows() ? ProcessFiles.Here : ProcessFiles.OfWine(options.WineOptions(parsed)?.Prefix);

    /// <summary>Where the files lie that a core names, and whose are opened.</summary>
    public static ProcessFiles FilesOf(ElfCoreFile core) => ProcessFiles.Here.Of(FileOwners.With(core.Owner is { } owner ? [owner] : []));

    private static ClrReadOptions Questions(ClrReadOptions options, ManagedQuestions? questions) =>
        options with
        {
            Collections = questions?.Collections,
            AsyncTasks = questions?.AsyncTasks == true,
            AsyncWaitsHeap = questions?.AsyncWaits == true ? ClrReadOptions.SmallHeap : null,
        };

    private static ProcessSnapshot LoadMinidump(
        string path, ParseResult parsed, DumpOptions options, string? conditions, CancellationToken cancellation, ManagedQuestions? questions)
    {
        DescribedProcess? process = DescribedProcess.Of(path);
        using MinidumpFile dump = process is null ? MinidumpFile.Open(path) : process.Open();
        OneLibrary.OfMinidump(dump.Modules.Select(m => m.Name));
        using TerminalProgress progress = new();
        ProcessSnapshot native = SnapshotCache.Native(conditions,
            () => WindowsSnapshotReader.Read(dump, Path.GetFileName(path), options.ReadOptions(parsed), progress, cancellation));
        ClrReadOptions managed = Questions(options.ClrOptions(parsed), questions);
        using Stream? stream = process is null ? null : dump.AsStream();
        ProcessSnapshot snapshot = OperatingSystem.IsWindows()
            ? stream is null ? ClrSnapshotReader.Read(native, path, managed, progress, cancellation, dump)
                : ClrSnapshotReader.Read(native, stream, managed, progress, cancellation, dump)
            : options.WineOptions(parsed) is { } wine ? WineSnapshotReader.Read(native, path, managed, wine, progress, cancellation)
            : WindowsRuntimes.StateMissing(native);
        snapshot = ManagedLines.Add(
            snapshot, options.SymbolDirectories(parsed), dump, FilesOf(parsed, options), options.ReadOptions(parsed).Cabinets, cancellation);

        // The managed half survives what it cannot read, and would be taken for one that lacks something.
        process?.ThrowIfFailed();
        return snapshot;
    }

    private static ProcessSnapshot LoadCore(
        string path, ParseResult parsed, DumpOptions options, CancellationToken cancellation, ManagedQuestions? questions)
    {
        using ElfCoreFile core = ElfCoreFile.Open(path);
        OneLibrary.OfCore(core.MappedFiles.Select(f => f.Path));
        using TerminalProgress progress = new();
        IReadOnlyList<string> images = options.ReadOptions(parsed).ImageDirectories;
        ContainerCore? container = ContainerCore.Of(core, images);
        ProcessSnapshot native = LinuxSnapshotReader.Read(core, Path.GetFileName(path), container, images);
        ClrReadOptions managed = Questions(options.ClrOptions(parsed), questions);
        using Stream? changed = container?.Open(path);
        ProcessSnapshot snapshot = changed is null ? ClrSnapshotReader.Read(native, path, managed, progress, cancellation, core)
            : ClrSnapshotReader.Read(native, changed, managed, progress, cancellation, core);
        return ManagedLines.Add(snapshot, options.SymbolDirectories(parsed), core, FilesOf(core), cancellation: cancellation);
    }
}
