using Dump.Model.Process;

namespace Dump.Readers.Minidump;

/// <summary>A Windows minidump, memory-mapped. Safe for concurrent reads.</summary>
public sealed partial class MinidumpFile : IMemory, IModuleMap, IDisposable
{
    /// <summary>The header.</summary>
    public required MinidumpHeader Header { get; init; }

    /// <summary>Streams of the directory that are inside the file, in its order.</summary>
    public required IReadOnlyList<MinidumpStream> Streams { get; init; }

    /// <summary>The SystemInfo stream, or null.</summary>
    public MinidumpSystemInfo? SystemInfo { get; init; }

    /// <summary>The MiscInfo stream, or null.</summary>
    public MinidumpMiscInfo? MiscInfo { get; init; }

    /// <summary>The ThreadList stream; empty when absent.</summary>
    public IReadOnlyList<MinidumpThread> Threads { get; init; } = [];

    /// <summary>
    /// True when that list has all threads: no entry was cut off or left out, no id is impossible or stands
    /// there twice, and no other stream tells of a living thread that it lacks.
    /// </summary>
    public bool HasAllThreads { get; init; }

    /// <summary>The ThreadInfoList stream by thread id, or null when absent.</summary>
    public IReadOnlyDictionary<uint, MinidumpThreadInfo>? ThreadInfos { get; init; }

    /// <summary>The ThreadNames stream by thread id (sanitised), or null when absent.</summary>
    public IReadOnlyDictionary<uint, string>? ThreadNames { get; init; }

    /// <summary>The ModuleList stream in file order.</summary>
    public IReadOnlyList<MinidumpModule> ModuleList { get; init; } = [];

    /// <summary>The UnloadedModuleList stream, or null when absent.</summary>
    public IReadOnlyList<MinidumpUnloadedModule>? UnloadedModules { get; init; }

    /// <summary>The MemoryInfoList stream, or null when absent. Its entries are read when asked for, so not after this object is disposed.</summary>
    public IReadOnlyList<MinidumpMemoryRegion>? MemoryRegions { get; init; }

    /// <summary>The Exception stream, or null.</summary>
    public MinidumpException? Exception { get; init; }

    /// <summary>The HandleData stream, or null when absent.</summary>
    public IReadOnlyList<MinidumpHandle>? Handles { get; init; }

    /// <summary>Comment streams.</summary>
    public IReadOnlyList<MinidumpComment> Comments { get; init; } = [];

    /// <summary>What Unreal Engine's crash writer says of the event, or null where it did not write the dump.</summary>
    public UnrealReport? Unreal { get; init; }

    /// <summary>The FunctionTable stream; empty when absent.</summary>
    public IReadOnlyList<MinidumpFunctionTable> FunctionTables { get; init; } = [];

    /// <summary>What is wrong with the file; reading went on.</summary>
    public IReadOnlyList<ReaderProblem> Problems { get; init; } = [];
}

/// <summary>The file header (MINIDUMP_HEADER).</summary>
/// <param name="Version">Format version; the low 16 bits are 0xA793, the high ones belong to the writer.</param>
/// <param name="StreamCount">Number of directory entries that the header claims.</param>
/// <param name="DirectoryOffset">File offset of the stream directory.</param>
/// <param name="TimeDateStamp">Seconds since 1970 (UTC), as recorded; 0 when the writer left it out.</param>
/// <param name="Flags">MINIDUMP_TYPE bits that the writer was given.</param>
public sealed record MinidumpHeader(uint Version, uint StreamCount, uint DirectoryOffset, uint TimeDateStamp, ulong Flags)
{
    /// <summary>When the dump was written (UTC), or null when not recorded.</summary>
    public DateTime? Written => TimeDateStamp == 0 ? null : DateTime.UnixEpoch.AddSeconds(TimeDateStamp);
}
