using Dump.Model.Process;

namespace Dump.Readers.Minidump;

/// <summary>Reads the directory and every stream of a minidump.</summary>
internal sealed class MinidumpReader
{
    private readonly StreamReader _reader;
    private readonly Dictionary<uint, MinidumpStream> _streams = [];
    private readonly List<MinidumpStream> _directory = [];

    private MinidumpReader(FileBytes file, ReadLimits limits) => _reader = new StreamReader(file, limits);

    /// <summary>Reads a file.</summary>
    /// <exception cref="InvalidDumpException">It is no Windows minidump, or nothing of it can be used.</exception>
    public static MinidumpFile Read(FileBytes file, string name, ReadLimits limits)
    {
        MinidumpReader reader = new(file, limits);
        return reader.Read(name);
    }

    private MinidumpFile Read(string name)
    {
        FileBytes file = _reader.File;
        if (file.ReadUInt32(0) != MinidumpLayout.Signature)
        {
            throw new InvalidDumpException($"{name}: this is {ForeignFormats.Describe(file)}");
        }

        MinidumpHeader header = ReadHeader(name);
        ReadDirectory(header);
        MinidumpSystemInfo? system = One(MinidumpLayout.SystemInfoStream) is { } s ? SystemStreams.ReadSystemInfo(_reader, s) : null;
        if (system is { } known && ForeignFormats.DescribePlatform(known.PlatformId) is { } platform)
        {
            MinidumpException? crash = One(MinidumpLayout.ExceptionStream) is { } stream
                ? SystemStreams.ReadException(_reader, stream, known.Architecture) : null;
            throw new InvalidDumpException($"{name}: this is a minidump of {platform}{ForeignCrash.Clause(known.PlatformId, crash)}; "
                + "this program analyses minidumps of Windows processes");
        }

        ProcessorArchitecture architecture = system?.Architecture ?? ProcessorArchitecture.Unknown;
        MinidumpStream? threadList = One(MinidumpLayout.ThreadListStream) ?? One(MinidumpLayout.ThreadExListStream);
        List<MinidumpThread> threads = threadList is { } t ? ThreadStreams.ReadThreads(_reader, t, architecture) : [];
        if (system is null || threads.Count == 0)
        {
            throw new InvalidDumpException(
                $"{name}: this minidump has no {(system is null ? "system information" : "threads")} (cut off or damaged?); write it again: procdump -ma PID");
        }

        Dictionary<uint, MinidumpThreadInfo>? threadInfos = One(MinidumpLayout.ThreadInfoListStream) is { } infos
            ? ThreadStreams.ReadInfos(_reader, infos)
            : null;
        List<MinidumpModule> modules = One(MinidumpLayout.ModuleListStream) is { } m ? ModuleStreams.ReadModules(_reader, m) : [];
        return new MinidumpFile(file, ModuleOrder.Sort(_reader, modules), ReadMemory(), _reader.Limits)
        {
            Header = header,
            Streams = _directory,
            SystemInfo = system,
            MiscInfo = One(MinidumpLayout.MiscInfoStream) is { } misc ? SystemStreams.ReadMiscInfo(_reader, misc) : null,
            Threads = threads,
            HasAllThreads = ThreadStreams.AreAll(_reader, threadList!, threads, threadInfos),
            ThreadInfos = threadInfos,
            ThreadNames = One(MinidumpLayout.ThreadNamesStream) is { } names ? ThreadStreams.ReadNames(_reader, names) : null,
            ModuleList = modules,
            UnloadedModules = One(MinidumpLayout.UnloadedModuleListStream) is { } unloaded ? ModuleStreams.ReadUnloaded(_reader, unloaded) : null,
            MemoryRegions = One(MinidumpLayout.MemoryInfoListStream) is { } regions ? MemoryStreams.ReadRegions(_reader, regions) : null,
            Exception = One(MinidumpLayout.ExceptionStream) is { } exception ? SystemStreams.ReadException(_reader, exception, architecture) : null,
            Handles = One(MinidumpLayout.HandleDataStream) is { } handles ? HandleStream.Read(_reader, handles, architecture) : null,
            Comments = [.. _directory.Where(c => c.Type is MinidumpLayout.CommentStreamA or MinidumpLayout.CommentStreamW)
                .DistinctBy(c => c.Type).Select(c => SystemStreams.ReadComment(_reader, c))],
            Unreal = One(MinidumpLayout.UnrealStream) is { } unreal ? UnrealStream.Read(_reader, unreal) : null,
            FunctionTables = One(MinidumpLayout.FunctionTableStream) is { } tables ? FunctionTableStream.Read(_reader, tables) : [],
            Problems = _reader.Problems,
        };
    }

    private MinidumpHeader ReadHeader(string name)
    {
        FileBytes file = _reader.File;
        if (!file.Contains(0, MinidumpLayout.HeaderSize))
        {
            throw new InvalidDumpException($"{name}: this minidump is cut off inside its header; write it again: procdump -ma PID");
        }

        return new MinidumpHeader(
            _reader.UInt32("header", MinidumpLayout.HeaderVersion),
            _reader.UInt32("header", MinidumpLayout.HeaderStreamCount),
            _reader.UInt32("header", MinidumpLayout.HeaderDirectory),
            _reader.UInt32("header", MinidumpLayout.HeaderTimeDateStamp),
            _reader.UInt64("header", MinidumpLayout.HeaderFlags));
    }

    private void ReadDirectory(MinidumpHeader header)
    {
        FileBytes file = _reader.File;
        int count = _reader.Count(
            "directory", header.StreamCount, MinidumpLayout.DirectoryEntrySize, header.DirectoryOffset, file.Length, _reader.Limits.MaxStreams);
        for (int i = 0; i < count; i++)
        {
            long at = header.DirectoryOffset + (long)i * MinidumpLayout.DirectoryEntrySize;
            uint type = _reader.UInt32("directory", at);
            FileRange range = new(_reader.UInt32("directory", at + MinidumpLayout.DirectoryRva), _reader.UInt32("directory", at + MinidumpLayout.DirectorySize));
            if (type == 0)
            {
                continue;
            }

            if (range.Offset >= file.Length)
            {
                _reader.Problem("directory", $"stream {type} lies outside the file", at);
                continue;
            }

            if (!file.Contains(range.Offset, range.Size))
            {
                _reader.Problem("directory", $"stream {type} is cut off by the end of the file", at);
                range = range with { Size = file.Length - range.Offset };
            }

            MinidumpStream stream = new(type, range);
            _directory.Add(stream);
            if (!_streams.TryAdd(type, stream))
            {
                _reader.Problem("directory", $"stream {type} occurs twice; the first counts", at);
            }
        }
    }

    private MinidumpMemoryRange[] ReadMemory()
    {
        List<MinidumpMemoryRange> ranges = One(MinidumpLayout.Memory64ListStream) is { } full ? MemoryStreams.ReadList64(_reader, full) : [];
        if (One(MinidumpLayout.MemoryListStream) is { } list)
        {
            ranges.AddRange(MemoryStreams.ReadList(_reader, list));
        }

        return MemoryOrder.Sort(_reader, ranges);
    }

    private MinidumpStream? One(uint type) => _streams.GetValueOrDefault(type);
}
