using System.CommandLine;
using Dump.Model;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;

namespace Dump.Cli;

/// <summary>Opens a dump and reads its facts, with progress on a terminal.</summary>
internal static class DumpLoader
{
    /// <summary>Reads the snapshot of the dump that a command line names.</summary>
    /// <exception cref="Readers.InvalidDumpException">The dump cannot be read.</exception>
    public static ProcessSnapshot Load(ParseResult parsed, DumpOptions options, CancellationToken cancellation)
    {
        string path = parsed.GetRequiredValue(options.File);
        using MinidumpFile dump = MinidumpFile.Open(path);
        using TerminalProgress progress = new();
        return WindowsSnapshotReader.Read(dump, Path.GetFileName(path), options.ReadOptions(parsed), progress, cancellation);
    }
}
