using System.Buffers.Binary;
using System.Collections.Frozen;
using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Wording;

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
                + "this program analyzes minidumps of Windows processes");
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
                _reader.Problem("directory", $"stream {type} is outside the file", at);
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

/// <summary>
/// For what a minidump of another system was written: on Linux a signal, elsewhere a Mach exception. Sources: Breakpad's minidump format (ExceptionCode is the
/// signal's number; all bits set where a dump was asked for), mach/exception_types.h, Crashpad's own exception types.
/// </summary>
internal static class ForeignCrash
{
    private const uint Linux = 0x8201;
    private const uint Android = 0x8203;
    private const uint MacOs = 0x8101;
    private const uint Ios = 0x8102;
    private const uint Asked = uint.MaxValue;

    // SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV: of the others siginfo has the sender where these have an address.
    private static readonly FrozenSet<uint> s_withAddress = new uint[] { 4, 5, 7, 8, 11 }.ToFrozenSet();

    /// <summary>Signal or exception with its thread, as a clause that begins with a comma; empty where the dump has none.</summary>
    /// <param name="platformId">The dump's system.</param>
    /// <param name="exception">Its Exception stream, or null.</param>
    public static string Clause(uint platformId, MinidumpException? exception)
    {
        if (exception is null)
        {
            return "";
        }

        string thread = string.Create(CultureInfo.InvariantCulture, $"of thread {exception.ThreadId} (0x{exception.ThreadId:x})");
        bool isSignal = platformId is Linux or Android;
        return isSignal && exception.Code == Asked ? $", written on request {thread}"
            : $", written for {What(isSignal, platformId, exception.Code)} {thread}"
                + (isSignal && !s_withAddress.Contains(exception.Code) ? "" : $" at 0x{exception.Address:x}");
    }

    private static string What(bool isSignal, uint platformId, uint code) =>
        isSignal ? LinuxSignals.NameOf((int)code) + (LinuxSignals.MeaningOf((int)code) is { } meaning ? $" ({meaning})" : "")
        : platformId is MacOs or Ios && MachName(code) is { } name ? name
        : $"exception 0x{code:x}";

    private static string? MachName(uint code) => code switch
    {
        1 => "EXC_BAD_ACCESS",
        2 => "EXC_BAD_INSTRUCTION",
        3 => "EXC_ARITHMETIC",
        5 => "EXC_SOFTWARE",
        6 => "EXC_BREAKPOINT",
        10 => "EXC_CRASH",
        11 => "EXC_RESOURCE",
        12 => "EXC_GUARD",

        // Four characters of Crashpad: CPnx.
        0x43506E78 => "an Objective-C exception",
        _ => null,
    };
}

/// <summary>Recognises files that are no Windows minidump, to say in one line what they are and what to do.</summary>
internal static class ForeignFormats
{
    private const string MachO = "a Mach-O file (a macOS core?), which this program does not read; it reads Windows minidumps";

    // Magic numbers of the formats' own specifications; PAGEDU64, PAGEDUMP and USERDU64 are the old Windows dump headers.
    private static readonly (byte[] Magic, string Message)[] s_formats =
    [
        ([0x7F, (byte)'E', (byte)'L', (byte)'F'], "an ELF file (a Linux core?), not a Windows minidump"),
        ([0xCF, 0xFA, 0xED, 0xFE], MachO),
        ([0xCE, 0xFA, 0xED, 0xFE], MachO),
        ([0xFE, 0xED, 0xFA, 0xCF], MachO),
        ([0xFE, 0xED, 0xFA, 0xCE], MachO),
        ("PAGEDU64"u8.ToArray(), "a Windows kernel dump; this program needs a user-mode dump of one process: procdump -ma PID"),
        ("PAGEDUMP"u8.ToArray(), "a Windows kernel dump; this program needs a user-mode dump of one process: procdump -ma PID"),
        ("USERDU64"u8.ToArray(), "an old-style user dump; write a minidump instead: procdump -ma PID"),
        ("USERDUMP"u8.ToArray(), "an old-style user dump; write a minidump instead: procdump -ma PID"),
        ("PK\x03\x04"u8.ToArray(), "a zip archive: unpack it first"),
        ("MSCF"u8.ToArray(), "a cabinet archive: unpack it first"),
        ([0x1F, 0x8B], "gzip-compressed: unpack it first"),
        ([0x28, 0xB5, 0x2F, 0xFD], "zstd-compressed: unpack it first"),
        ([0xFD, (byte)'7', (byte)'z', (byte)'X', (byte)'Z'], "xz-compressed: unpack it first"),
        ([(byte)'7', (byte)'z', 0xBC, 0xAF], "a 7z archive: unpack it first"),
        ("MZ"u8.ToArray(), "a Windows program or library, not a dump of one"),
    ];

    /// <summary>What the file is, as a clause after "is".</summary>
    public static string Describe(FileBytes file)
    {
        Span<byte> head = stackalloc byte[512];
        ReadOnlySpan<byte> start = head[..file.Read(0, head)];
        if (start.IsEmpty)
        {
            return "an empty file; was the dump's writer interrupted? Write it again: procdump -ma PID";
        }

        foreach ((byte[] magic, string message) in s_formats)
        {
            if (start.StartsWith(magic))
            {
                return message;
            }
        }

        return IsText(start)
            ? "a text file, not a dump; this program reads Windows minidumps, which procdump -ma PID writes"
            : "not a Windows minidump (no MDMP signature); write one with: procdump -ma PID";
    }

    /// <summary>Text begins with a byte order mark, or has none of the control characters but tabs, line breaks, form feeds and escapes.</summary>
    private static bool IsText(ReadOnlySpan<byte> start)
    {
        if (start.StartsWith<byte>([0xFF, 0xFE]) || start.StartsWith<byte>([0xFE, 0xFF]) || start.StartsWith<byte>([0xEF, 0xBB, 0xBF]))
        {
            return true;
        }

        foreach (byte value in start)
        {
            if (value < ' ' && value is not ((byte)'\t' or (byte)'\n' or (byte)'\r' or (byte)'\f' or 0x1B))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>
    /// What a minidump of another system is, by the PlatformId that Breakpad and Crashpad write, as a phrase after "of", or null for Windows.
    /// </summary>
    public static string? DescribePlatform(uint platformId) => platformId switch
    {
        0x8000 => "a Unix process",
        0x8101 => "a macOS process",
        0x8102 => "an iOS process",
        0x8201 => "a Linux process",
        0x8202 => "a Solaris process",
        0x8203 => "an Android process",
        0x8204 => "a PlayStation 3 program",
        0x8205 => "a Native Client module",
        0x8206 => "a Fuchsia process",
        >= 0x8000 => "a process of another system",
        _ => null,
    };
}

/// <summary>Reads HandleData, with object information where the writer gave it.</summary>
internal static class HandleStream
{
    private const string Name = "HandleData";
    private const int MaximumInformation = 16;
    private const uint MaximumInformationSize = 4096;

    public static List<MinidumpHandle>? Read(StreamReader reader, MinidumpStream stream, ProcessorArchitecture architecture)
    {
        if (ListStart.ReadWithHeader(
            reader, Name, stream, MinidumpLayout.HandleHeaderSize, MinidumpLayout.HandleSize1, isCount64: false,
            reader.Limits.MaxHandles) is not var (offset, size, count))
        {
            return null;
        }

        List<MinidumpHandle> handles = new(count);
        for (int i = 0; i < count; i++)
        {
            long at = offset + (long)i * size;
            handles.Add(new MinidumpHandle(
                reader.UInt64(Name, at),
                reader.String(Name, reader.UInt32(Name, at + 8)),
                reader.String(Name, reader.UInt32(Name, at + 12)),
                reader.UInt32(Name, at + 16),
                reader.UInt32(Name, at + 20),
                reader.UInt32(Name, at + 24),
                reader.UInt32(Name, at + 28),
                size >= MinidumpLayout.HandleSize2 ? ReadInformation(reader, reader.UInt32(Name, at + 32), architecture) : []));
        }

        return handles;
    }

    /// <summary>Follows the linked list of object information. A record that was seen before ends it.</summary>
    private static List<MinidumpHandleInformation> ReadInformation(StreamReader reader, uint rva, ProcessorArchitecture architecture)
    {
        const int HeaderSize = 12;
        if (rva == 0)
        {
            return [];
        }

        List<MinidumpHandleInformation> information = [];
        HashSet<uint> seen = [];
        while (rva != 0 && information.Count < MaximumInformation && seen.Add(rva))
        {
            uint next = reader.UInt32(Name, rva);
            uint type = reader.UInt32(Name, rva + 4L);
            uint size = reader.UInt32(Name, rva + 8L);
            if (size > MaximumInformationSize || !reader.File.Contains(rva + (long)HeaderSize, size))
            {
                reader.Problem(Name, $"object information of {size} bytes cannot be", rva);
                break;
            }

            if (!reader.Spend(Name, HeaderSize + (long)size))
            {
                break;
            }

            byte[] data = new byte[size];
            reader.File.Read(rva + (long)HeaderSize, data);
            information.Add(new MinidumpHandleInformation(type, architecture, data));
            rva = next;
        }

        return information;
    }
}

/// <summary>Orders modules by address and tells those of the system from others.</summary>
internal static class ModuleOrder
{
    private const string SystemRoot = @"\systemroot\";
    private const string Volume = @"\device\harddiskvolume";

    // Win32 and NT spellings of "what follows is a full path".
    private static readonly string[] s_prefixes = [@"\\?\", @"\\.\", @"\??\"];

    private static readonly string[] s_mixed = [@"temp\", @"installer\", @"assembly\", @"system32\driverstore\", @"downloaded program files\"];

    /// <summary>Modules by base address. Of two with the same base the first counts.</summary>
    public static ModuleSnapshot[] Sort(StreamReader reader, IReadOnlyList<MinidumpModule> modules)
    {
        List<ModuleSnapshot> sorted = [];
        foreach (MinidumpModule module in modules.OrderBy(m => m.BaseAddress))
        {
            if (sorted is [.., { } last] && last.BaseAddress == module.BaseAddress)
            {
                reader.Problem("ModuleList", $"two modules claim the base 0x{module.BaseAddress:x}; the first counts");
                continue;
            }

            sorted.Add(new ModuleSnapshot(
                FileName(module.Path), module.Path, module.BaseAddress, module.Size, module.TimeDateStamp, module.FileVersion, IsSystem(module.Path)));
        }

        return [.. sorted];
    }

    /// <summary>The part behind the last separator, no longer than a file system allows a name to be: it stands in every line about the module.</summary>
    private static string FileName(string path)
    {
        const int LongestFileName = 255;
        return SafeText.Clean(path.AsSpan(path.LastIndexOfAny(['\\', '/']) + 1), LongestFileName);
    }

    /// <summary>
    /// By path alone: true below the Windows directory of a drive, of a device or of <c>\SystemRoot</c>; false in any other
    /// directory; null without a directory, and below those of the Windows directory that hold other people's files (drivers,
    /// installers, temporary files). Anyone with the rights may place a file beside the system's own, so true is no proof.
    /// </summary>
    private static bool? IsSystem(string path)
    {
        string lower = path.ToLowerInvariant().Replace('/', '\\');
        if (!lower.Contains('\\', StringComparison.Ordinal))
        {
            return null;
        }

        string? below = BelowWindows(lower);
        return below is null ? false : s_mixed.Any(m => below.StartsWith(m, StringComparison.Ordinal)) ? null : true;
    }

    /// <summary>The part of a lower-case path below the Windows directory, or null when it is elsewhere.</summary>
    private static string? BelowWindows(string path)
    {
        const string Windows = @"\windows\";
        foreach (string prefix in s_prefixes)
        {
            path = path.StartsWith(prefix, StringComparison.Ordinal) ? path[prefix.Length..] : path;
        }

        if (path.StartsWith(SystemRoot, StringComparison.Ordinal))
        {
            return path[SystemRoot.Length..];
        }

        int directory = path is [_, ':', ..] ? 2 : path.StartsWith(Volume, StringComparison.Ordinal) ? path.IndexOf('\\', Volume.Length) : -1;
        return directory >= 0 && path[directory..].StartsWith(Windows, StringComparison.Ordinal) ? path[(directory + Windows.Length)..] : null;
    }
}
