using Dump.Readers.ElfCore;
using Dump.Readers.Files;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Runtimes;

/// <summary>Opens dumps for ClrMD.</summary>
internal static class DumpFile
{
    /// <summary>
    /// Opens a dump that another program may still have open, even to write it or to remove it: a debugger
    /// that hands over its snapshot of a process does. ClrMD on its own refuses such files.
    /// </summary>
    /// <param name="path">Path of the dump.</param>
    /// <param name="settings">How ClrMD is to read.</param>
    public static DataTarget Open(string path, DataTargetOptions settings)
    {
        // ClrMD reads cores a few bytes at a time wherever they lie; minidumps it keeps itself.
        Stream stream = ElfCoreFile.IsElf(path) ? new PagedStream(RegularFile.OpenRead(path, bufferSize: 0)) : RegularFile.OpenRead(path);
        try
        {
            return DataTarget.LoadDump(path, stream, leaveOpen: false, settings);
        }
        catch
        {
            stream.Dispose();
            throw;
        }
    }
}
