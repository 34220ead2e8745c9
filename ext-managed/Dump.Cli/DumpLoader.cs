using System.CommandLine;
using Dump.Clr;
using Dump.Clr.Wine;
using Dump.Model;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;

namespace Dump.Cli;

/// <summary>Opens a dump and reads its facts, with progress on a terminal.</summary>
internal static class DumpLoader
{
    /// <summary>Reads the snapshot of the dump that a command line names.</summary>
    /// <exception cref="Readers.InvalidDumpException">The dump cannot be read.</exception>
    public static ProcessSnapshot Load(ParseResult parsed, DumpOptions options, CancellationToken cancellation) =>
        Load(parsed.GetRequiredValue(options.File), parsed, options, cancellation);

    /// <summary>Reads the snapshot of a dump.</summary>
    /// <exception cref="Readers.InvalidDumpException">The dump cannot be read.</exception>
    public static ProcessSnapshot Load(string path, ParseResult parsed, DumpOptions options, CancellationToken cancellation)
    {
        if (ElfCoreFile.IsElf(path))
        {
            return LoadCore(path, parsed, options, cancellation);
        }

        using MinidumpFile dump = MinidumpFile.Open(path);
        using TerminalProgress progress = new();
        ProcessSnapshot native = WindowsSnapshotReader.Read(dump, Path.GetFileName(path), options.ReadOptions(parsed), progress, cancellation);
        ClrReadOptions managed = options.ClrOptions(parsed);
        return OperatingSystem.IsWindows() ? ClrSnapshotReader.Read(native, path, managed, progress, cancellation)
            : options.WineOptions(parsed) is { } wine ? WineSnapshotReader.Read(native, path, managed, wine, progress, cancellation)
            : WindowsRuntimes.StateMissing(native);
    }

    private static ProcessSnapshot LoadCore(string path, ParseResult parsed, DumpOptions options, CancellationToken cancellation)
    {
        using ElfCoreFile core = ElfCoreFile.Open(path);
        using TerminalProgress progress = new();
        ProcessSnapshot native = LinuxSnapshotReader.Read(core, Path.GetFileName(path));
        return ClrSnapshotReader.Read(native, path, options.ClrOptions(parsed), progress, cancellation);
    }
}
