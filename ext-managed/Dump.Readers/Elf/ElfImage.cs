using System.Buffers.Binary;
using System.Collections.Concurrent;
using Dump.Model.Process;
using Dump.Readers.ElfCore;
using Dump.Readers.Minidump;
using Dump.Readers.Xz;

namespace Dump.Readers.Elf;

/// <summary>
/// A program or library that is loaded into a Linux process: its bytes come from the process' memory and, where that is not in the core, from a file of the
/// same build id. The parts that the process may have written come from its memory alone. Safe for concurrent use.
/// </summary>
internal sealed class ElfImage : IMemory, IDisposable
{
    private const int MostSegments = 256;
    private const int LongestBuildId = 64;
    private const long NanosecondsOfNote = 3_000;
    private readonly IMemory _memory;
    private readonly ElfSegment[] _loads;
    private readonly Lazy<FileBytes?> _file;
    private readonly Lazy<FileBytes?> _symbolFile;
    private readonly Lazy<FileBytes?> _debugFile;
    private readonly Lazy<ElfDynamicTables?> _dynamic;

    private ElfImage(
        IMemory memory, LinuxMachine? machine, ulong bias, ElfSegment[] loads, ElfSegment? unwindTable, ElfSegment? dynamic, string? buildId, Func<FileBytes?> file,
        Func<FileBytes?> debugFile)
    {
        _memory = memory;
        Machine = machine;
        _loads = loads;
        Bias = bias;
        UnwindTable = unwindTable is { } table ? unchecked(bias + table.Address) : null;
        _dynamic = new Lazy<ElfDynamicTables?>(() =>
            dynamic is { } section ? ElfDynamicTables.Read(this, unchecked(bias + section.Address), section.MemorySize, bias) : null);
        BuildId = buildId;
        _file = new Lazy<FileBytes?>(file);
        _debugFile = new Lazy<FileBytes?>(debugFile);
        _symbolFile = new Lazy<FileBytes?>(() => Files.FirstOrDefault(HasSymbols) ?? (File is { } own ? MiniDebugFile.Of(own) : null));
    }

    /// <summary>The machine of its code; null for one that is not read.</summary>
    public LinuxMachine? Machine { get; }

    /// <summary>What is added to an address of the file to have that of the process.</summary>
    public ulong Bias { get; }

    /// <summary>Address of the table of unwind information (<c>.eh_frame_hdr</c>), or null when it has none.</summary>
    public ulong? UnwindTable { get; }

    /// <summary>Its dynamic symbols, or null for a static program and where they cannot be read.</summary>
    public ElfDynamicTables? DynamicTables => _dynamic.Value;

    /// <summary>Its build id in lower-case hexadecimal digits, or null when it has none or it is not readable.</summary>
    public string? BuildId { get; }

    /// <summary>The file that was found for it, or null. Its build id is this image's.</summary>
    public FileBytes? File => _file.Value;

    /// <summary>The files of its build id: its own, and its separate debug file.</summary>
    public IEnumerable<FileBytes> Files => ((Lazy<FileBytes?>[])[_file, _debugFile]).Select(f => f.Value).OfType<FileBytes>();

    /// <summary>
    /// The file with its symbol table: its own where it was not stripped, else its separate debug file, else the small one that is packed inside of its own;
    /// null where there is none.
    /// </summary>
    public FileBytes? SymbolFile => _symbolFile.Value;

    /// <summary>Reads the headers of an image from where it is loaded.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="address">Where its first byte lies.</param>
    /// <param name="open">Opens a file of a build id, or the one without an id, or gives null; asked once, when bytes are needed that the memory lacks.</param>
    /// <param name="openDebugFile">Opens the separate debug file of a build id, or gives null; asked once, when the image's own file has no symbols.</param>
    /// <returns>The image, or null when there is none or its headers are not readable.</returns>
    public static ElfImage? Read(IMemory memory, ulong address, Func<string?, FileBytes?> open, Func<string, FileBytes?>? openDebugFile = null)
    {
        Span<byte> head = stackalloc byte[ElfImageLayout.HeaderSize];
        if (!memory.TryRead(address, head) || !head.StartsWith("\u007fELF"u8) || head[ElfCoreLayout.Class] != ElfCoreLayout.Class64
            || BinaryPrimitives.ReadUInt16LittleEndian(head[ElfImageLayout.Type..]) is not (ElfImageLayout.TypeExecutable or ElfImageLayout.TypeShared)
            || BinaryPrimitives.ReadUInt16LittleEndian(head[ElfImageLayout.ProgramHeaderEntrySize..]) != ElfImageLayout.ProgramHeaderSize)
        {
            return null;
        }

        int count = Math.Min(BinaryPrimitives.ReadUInt16LittleEndian(head[ElfImageLayout.ProgramHeaderCount..]), (ushort)MostSegments);
        byte[] table = new byte[count * ElfImageLayout.ProgramHeaderSize];
        ulong at = unchecked(address + BinaryPrimitives.ReadUInt64LittleEndian(head[ElfImageLayout.ProgramHeaderOffset..]));
        if (!memory.TryRead(at, table))
        {
            return null;
        }

        (uint Type, ElfSegment Segment)[] segments = [.. Enumerable.Range(0, count).Select(i => Segment(table.AsSpan(i * ElfImageLayout.ProgramHeaderSize)))];
        ElfSegment[] loads = [.. segments.Where(s => s.Type == ElfImageLayout.SegmentLoad).Select(s => s.Segment).OrderBy(s => s.Address)];
        int first = Array.FindIndex(loads, s => s.FileOffset == 0);
        if (first < 0)
        {
            return null;
        }

        ulong bias = unchecked(address - loads[first].Address);
        string? id = segments.Where(s => s.Type == ElfImageLayout.SegmentNote).Select(s => Id(memory, unchecked(bias + s.Segment.Address), s.Segment.FileSize))
            .FirstOrDefault(i => i is not null);
        return new ElfImage(memory, LinuxMachine.Find(BinaryPrimitives.ReadUInt16LittleEndian(head[ElfCoreLayout.Machine..])), bias, loads, Only(segments, ElfImageLayout.SegmentUnwindTable), Only(segments, ElfImageLayout.SegmentDynamic), id,
            () => open(id), () => id is null ? null : openDebugFile?.Invoke(id));
    }

    /// <inheritdoc/>
    public int Read(ulong address, Span<byte> destination)
    {
        int done = _memory.Read(address, destination);
        while (done < destination.Length && FromFile(unchecked(address + (ulong)done), destination[done..]) is > 0 and var read)
        {
            done += read;
        }

        return done;
    }

    /// <summary>Where a byte of the process stands in the file, or null when it comes from no file.</summary>
    public long? OffsetOf(ulong address) => Find(address) is { } segment && address - Bias - segment.Address < (ulong)segment.FileSize
        ? segment.FileOffset + (long)(address - Bias - segment.Address)
        : null;

    /// <summary>True for an address in the image's writable data, with the part that no file has.</summary>
    public bool IsWritten(ulong address) => Find(address) is { } segment && (segment.Flags & ElfImageLayout.IsWritable) != 0;

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (Lazy<FileBytes?> file in (Lazy<FileBytes?>[])[_file, _debugFile])
        {
            if (file.IsValueCreated)
            {
                file.Value?.Dispose();
            }
        }
    }

    private static bool HasSymbols(FileBytes? file) =>
        file is not null && ElfSection.Read(file).Any(s => s is { IsThere: true, Type: ElfSectionLayout.SymbolTable });

    private int FromFile(ulong address, Span<byte> destination)
    {
        if (Find(address) is not { } segment || (segment.Flags & ElfImageLayout.IsWritable) != 0 || OffsetOf(address) is not { } offset || File is not { } file)
        {
            return 0;
        }

        long left = segment.FileOffset + segment.FileSize - offset;
        return file.Read(offset, destination[..(int)Math.Min(destination.Length, left)]);
    }

    private ElfSegment? Find(ulong address)
    {
        ulong inFile = unchecked(address - Bias);
        foreach (ElfSegment segment in _loads)
        {
            if (inFile >= segment.Address && inFile - segment.Address < segment.MemorySize)
            {
                return segment;
            }
        }

        return null;
    }

    private static ElfSegment? Only((uint Type, ElfSegment Segment)[] segments, uint type) =>
        segments.Where(s => s.Type == type).Select(s => (ElfSegment?)s.Segment).FirstOrDefault();

    private static (uint Type, ElfSegment Segment) Segment(ReadOnlySpan<byte> header)
    {
        ulong fileSize = Word(header, ElfImageLayout.SegmentFileSize), offset = Word(header, ElfImageLayout.SegmentFileOffset);
        return (BinaryPrimitives.ReadUInt32LittleEndian(header), new ElfSegment(
            Word(header, ElfImageLayout.SegmentAddress), Word(header, ElfImageLayout.SegmentMemorySize), (long)Math.Min(offset, long.MaxValue / 4),
            (long)Math.Min(fileSize, long.MaxValue / 4), BinaryPrimitives.ReadUInt32LittleEndian(header[ElfImageLayout.SegmentFlags..])));
    }

    private static ulong Word(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadUInt64LittleEndian(bytes[offset..]);

    private static string? Id(IMemory memory, ulong start, long size)
    {
        long at = 0;
        while (at + ElfImageLayout.NoteHeaderSize <= size && WorkBudget.Take(NanosecondsOfNote)
            && memory.ReadUInt32(start + (ulong)at) is { } nameSize && memory.ReadUInt32(start + (ulong)at + 4) is { } length
            && memory.ReadUInt32(start + (ulong)at + 8) is { } type)
        {
            long content = at + ElfImageLayout.NoteHeaderSize + ((nameSize + 3L) & ~3L);
            if (type == ElfImageLayout.NoteBuildId && nameSize == 4 && length is > 0 and <= LongestBuildId && content + length <= size)
            {
                byte[] id = new byte[length];
                return memory.TryRead(start + (ulong)content, id) ? Convert.ToHexStringLower(id) : null;
            }

            at = content + ((length + 3L) & ~3L);
        }

        return null;
    }
}

/// <summary>
/// Offsets and constants of 64-bit ELF programs and libraries, beside those of cores. Sources: System V ABI, chapters 4 and 5 (symbols, dynamic section);
/// Linux Standard Base Core, "Exception Frames" (the table PT_GNU_EH_FRAME leads to).
/// </summary>
internal static class ElfImageLayout
{
    public const ushort TypeExecutable = 2;
    public const ushort TypeShared = 3;
    public const int Type = 16;
    public const int ProgramHeaderOffset = 32;
    public const int ProgramHeaderEntrySize = 54;
    public const int ProgramHeaderCount = 56;
    public const int HeaderSize = 64;

    public const int SegmentType = 0;
    public const int SegmentFlags = 4;
    public const int SegmentFileOffset = 8;
    public const int SegmentAddress = 16;
    public const int SegmentFileSize = 32;
    public const int SegmentMemorySize = 40;
    public const int ProgramHeaderSize = 56;
    public const uint SegmentLoad = 1;
    public const uint SegmentDynamic = 2;
    public const uint SegmentNote = 4;
    public const uint SegmentUnwindTable = 0x6474E550;
    public const uint IsWritable = 2;

    public const int SymbolSize = 24;
    public const int SymbolInformation = 4;
    public const int SymbolSection = 6;
    public const int SymbolValue = 8;
    public const int SymbolLength = 16;
    public const int SymbolFunction = 2;
    public const int SymbolIndirectFunction = 10;
    public const int BindingLocal = 0;

    public const uint NoteBuildId = 3;
    public const int NoteHeaderSize = 12;
}

/// <summary>The programs and libraries that are loaded into a Linux process, by address. Safe for concurrent use.</summary>
internal sealed class ElfImages : IDisposable
{
    private readonly IMemory _memory;
    private readonly ElfMappedFiles _files;
    private readonly ImageFiles _found;
    private readonly DebugFileStore _store;
    private readonly ConcurrentDictionary<ulong, Lazy<LoadedImage?>> _images = new();
    private readonly Dictionary<string, ulong[]> _bases;

    /// <summary>Of a process.</summary>
    /// <param name="memory">Its memory.</param>
    /// <param name="files">Its mapped files.</param>
    /// <param name="found">Where those are found here; null for where the process has them, whoever owns them.</param>
    /// <param name="store">Where debug files and images are kept by build id; null for the places of this machine.</param>
    public ElfImages(IMemory memory, ElfMappedFiles files, ImageFiles? found = null, DebugFileStore? store = null)
    {
        _memory = memory;
        _store = store ?? DebugFileStore.OfThisMachine;
        _files = files;
        _found = found ?? new ImageFiles();
        _bases = files.Beginnings.GroupBy(f => f.Path, StringComparer.Ordinal)
            .ToDictionary(g => g.Key, g => g.Select(f => f.Start).ToArray(), StringComparer.Ordinal);
    }

    /// <summary>The image that holds an address, or null.</summary>
    public LoadedImage? Find(ulong address)
    {
        // A library may be loaded twice; the mapping that begins the file last before the address is its own.
        if (_files.Find(address) is not { } file || !_bases.TryGetValue(file.Path, out ulong[]? bases))
        {
            return null;
        }

        int place = Array.BinarySearch(bases, address);
        if ((place >= 0 ? place : ~place - 1) is not (>= 0 and var last) || bases[last] is not (> 0 and var start))
        {
            return null;
        }

        return _images.GetOrAdd(start, key => new Lazy<LoadedImage?>(() =>
            ElfImage.Read(_memory, key, id => _found.Open(file.Path, id) ?? (id is null ? null : _store.OpenImage(id)), _store.OpenDebugFile) is { } image
                ? new LoadedImage(image) : null)).Value;
    }

    /// <summary>Files that the process names and that were not opened, as one line; null when there are none.</summary>
    public ReaderProblem? Problem => _found.Problem;

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (Lazy<LoadedImage?> image in _images.Values.Where(i => i.IsValueCreated))
        {
            image.Value?.Image.Dispose();
        }
    }
}

/// <summary>
/// The small ELF file with the symbols of functions that some systems pack into stripped programs and libraries (<c>.gnu_debugdata</c>; gdb, "Debugging
/// information in a special section").
/// </summary>
internal static class MiniDebugFile
{
    private const string Section = ".gnu_debugdata";

    // Those of the largest libraries have some megabytes.
    private const int MostBytes = 64 << 20;

    // Tables of symbols shrink to a third or a quarter.
    private const long MostPacked = 100;

    /// <summary>That inside of a file, or null when it has none that is sound.</summary>
    /// <param name="file">The file.</param>
    public static FileBytes? Of(FileBytes file)
    {
        if (ElfDebugSection.Read(file, Section) is not { } packed)
        {
            return null;
        }

        int most = (int)Math.Min(MostBytes, packed.Length * MostPacked);
        if (!WorkBudget.Hold(most) || XzFile.Unpack(packed, most) is not { Length: > 0 } bytes)
        {
            // What comes to nothing has cost the work all the same.
            return null;
        }

        WorkBudget.Release(most - bytes.Length);
        return FileBytes.Wrap(bytes);
    }
}
