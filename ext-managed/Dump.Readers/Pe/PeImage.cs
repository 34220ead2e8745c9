using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using Dump.Model.Process;
using Dump.Readers.Files;
using Dump.Readers.Stores;
using Microsoft.Win32.SafeHandles;

namespace Dump.Readers.Pe;

/// <summary>
/// A loaded image (Microsoft's "PE Format" specification), read from the dump's memory and, where that lacks it, from a matching file.
/// Made by <see cref="PeImages"/>; safe for concurrent use. Addresses are relative to <see cref="BaseAddress"/> unless they are called absolute.
/// </summary>
public sealed class PeImage : IRvaReader
{
    private readonly IMemory _memory;
    private readonly PeImageFile? _file;
    private readonly PeHeaders _headers;
    private readonly Lazy<PeExports> _exports;
    private readonly Lazy<PdbIdentity?> _pdb;
    private readonly Lazy<ImmutableArray<uint>> _tlsCallbacks;
    private readonly Lazy<string?> _company;
    private readonly Lazy<CoffSymbols?> _symbols;

    internal PeImage(ModuleSnapshot module, IMemory memory, PeHeaders headers, PeImageFile? file)
    {
        _memory = memory;
        _headers = headers;
        _file = file;
        BaseAddress = module.BaseAddress;
        Size = Math.Min(module.Size, uint.MaxValue);
        _exports = new Lazy<PeExports>(() => PeExports.Read(this, headers.Directory(PeLayout.ExportDirectory), Size));
        _pdb = new Lazy<PdbIdentity?>(() => PeDebugDirectory.Read(this, headers.Directory(PeLayout.DebugDirectory)));
        _tlsCallbacks = new Lazy<ImmutableArray<uint>>(() => PeTlsDirectory.Read(this, headers, file));
        _symbols = new Lazy<CoffSymbols?>(() => file is null ? null : CoffSymbols.Read(file));
        _company = new Lazy<string?>(() => VersionResource.ReadCompany(this, headers.Directory(VersionResourceLayout.ResourceDirectory)));
    }

    /// <summary>Absolute address that the image is loaded at.</summary>
    public ulong BaseAddress { get; }

    /// <summary>Size of the loaded image in bytes.</summary>
    public ulong Size { get; }

    /// <summary>Machine type of the file header, 0x8664 for x64.</summary>
    public ushort Machine => _headers.Machine;

    /// <summary>Path of the matching file in an image directory, or null when the dump's memory is all there is.</summary>
    public string? FilePath => _file?.Path;

    /// <summary>Relative address of the entry point (DllMain's caller for a DLL), or null when the image has none.</summary>
    public uint? EntryPoint => _headers.EntryPoint == 0 ? null : _headers.EntryPoint;

    /// <summary>The sections in header order.</summary>
    public IReadOnlyList<PeSection> Sections => _headers.Sections;

    /// <summary>
    /// Exports that are addresses in this image: one per address, ordered by it. Of several names for one address the <c>Nt</c> name is taken first, a
    /// <c>Zw</c> name last, else the first by spelling.
    /// </summary>
    public IReadOnlyList<PeExport> AddressExports => _exports.Value.ByRva;

    /// <summary>False when a part of the export table is missing or malformed.</summary>
    public bool ExportsAreComplete => _exports.Value.IsComplete;

    /// <summary>Identity of the image's PDB, or null when the image names none or the record is not readable.</summary>
    public PdbIdentity? Pdb => _pdb.Value;

    /// <summary>
    /// Relative addresses of the image's TLS callbacks, in the order that the loader calls them; empty when there are none or they are not readable.
    /// </summary>
    public IReadOnlyList<uint> TlsCallbacks => _tlsCallbacks.Value;

    /// <summary>Who made the image: CompanyName of its version resource, sanitised; null when there is none or it is not readable.</summary>
    public string? Company => _company.Value;

    /// <summary>Finds an export by its exact name, forwarders included; null when there is none.</summary>
    public PeExport? FindExport(string name) => _exports.Value.Find(name);

    /// <summary>Finds the export that begins exactly at a relative address; forwarders have no address.</summary>
    public PeExport? FindExport(uint rva) => _exports.Value.AtOrBelow(rva) is { } export && export.Rva == rva ? export : null;

    /// <summary>Finds the export that begins nearest at or below a relative address. It says nothing about the function that contains the address.</summary>
    public PeExport? FindExportAtOrBelow(uint rva) => _exports.Value.AtOrBelow(rva);

    /// <summary>
    /// The name of the function that begins exactly at a relative address, by the symbol table in the image's file; null where that is not here, has no such
    /// table, or none for that address. Readable and sanitised.
    /// </summary>
    public string? FindSymbol(uint rva) => _symbols.Value?.At(rva);

    /// <summary>The address that the image was linked for: debug information in its file counts from there.</summary>
    internal ulong PreferredBase => (_file?.Headers ?? _headers).PreferredBase;

    /// <summary>The bytes of a section of the image's file, by its name; null where the file is not here or has none.</summary>
    internal byte[]? ReadFileSection(string name) => _file is null ? null : CoffSymbols.ReadSection(_file, name);

    /// <summary>The section that contains a relative address, or null.</summary>
    public PeSection? FindSection(uint rva)
    {
        foreach (PeSection section in _headers.Sections)
        {
            if (section.Contains(rva))
            {
                return section;
            }
        }

        return null;
    }

    /// <summary>Finds the entry of the exception directory that covers a relative address; null when there is none or it is not readable.</summary>
    public RuntimeFunction? FindFunction(uint rva) => LookUpFunction(rva, out RuntimeFunction function) == FunctionLookup.Found ? function : null;

    /// <summary>
    /// Finds the entry of the exception directory that covers a relative address and tells apart that there is none and that it is not readable.
    /// </summary>
    /// <param name="rva">Relative address.</param>
    /// <param name="function">The entry when the result is <see cref="FunctionLookup.Found"/>.</param>
    /// <remarks>The directory is sorted by address. Images of other machines than x64 and ARM64 use other formats and count as unreadable.</remarks>
    public FunctionLookup LookUpFunction(uint rva, out RuntimeFunction function)
    {
        FunctionLookup result = LookUpFunctionAtOrBelow(rva, out function, out _);
        return result == FunctionLookup.Found && !function.Contains(rva) ? FunctionLookup.NoEntry : result;
    }

    /// <summary>True when both relative addresses lie in the same gap between two neighbouring entries of the exception directory.</summary>
    public bool AreInSameGap(uint first, uint second) =>
        LookUpFunctionAtOrBelow(first, out RuntimeFunction below, out int firstIndex) is FunctionLookup lookup and not FunctionLookup.Unreadable
        && (lookup == FunctionLookup.NoEntry || first >= below.End)
        && LookUpFunctionAtOrBelow(second, out below, out int secondIndex) is FunctionLookup secondLookup and not FunctionLookup.Unreadable
        && (secondLookup == FunctionLookup.NoEntry || second >= below.End)
        && firstIndex == secondIndex;

    /// <inheritdoc/>
    /// <remarks>The dump's memory comes first. What it lacks comes from the file, except in writable sections, whose content the file does not know.</remarks>
    public bool ReadRva(uint rva, Span<byte> destination)
    {
        if (rva >= Size || (ulong)destination.Length > Size - rva || BaseAddress > ulong.MaxValue - Size)
        {
            return false;
        }

        int read = _memory.Read(BaseAddress + rva, destination);
        if (read == destination.Length)
        {
            return true;
        }

        if (_file is null || FindSection(rva + (uint)read) is { IsWritable: true })
        {
            return false;
        }

        return _file.ReadRva(rva + (uint)read, destination[read..]);
    }

    /// <summary>
    /// Finds the last entry that begins at or below an address. The index counts the entries that do, so equal indexes mean the same neighbours.
    /// </summary>
    private FunctionLookup LookUpFunctionAtOrBelow(uint rva, [NotNull] out RuntimeFunction function, out int count)
    {
        function = default;
        count = 0;
        PeDirectory directory = _headers.Directory(PeLayout.ExceptionDirectory);
        uint size = Machine switch
        {
            PeLayout.MachineAmd64 => PeLayout.RuntimeFunctionSize,
            PeLayout.MachineArm64 => Arm64FunctionLayout.EntrySize,
            _ => 0,
        };
        if (size == 0 || directory.Rva >= Size || directory.Size > Size - directory.Rva || CountBeginnings(directory, size, rva) is not { } found)
        {
            return FunctionLookup.Unreadable;
        }

        count = found;
        if (count == 0)
        {
            return FunctionLookup.NoEntry;
        }

        uint last = directory.Rva + ((uint)(count - 1) * size);
        RuntimeFunction? entry = Machine == PeLayout.MachineArm64 ? Arm64FunctionEntry.Read(this, last)?.ToFunction(this) : this.ReadRuntimeFunction(last);
        function = entry ?? default;
        return entry is null ? FunctionLookup.Unreadable : FunctionLookup.Found;
    }

    /// <summary>How many entries of the sorted directory begin at or below an address; null when one that decides is not readable.</summary>
    private int? CountBeginnings(PeDirectory directory, uint entrySize, uint rva)
    {
        int low = 0;
        int high = (int)(directory.Size / entrySize);
        while (low < high)
        {
            int middle = low + ((high - low) / 2);
            if (this.ReadUInt32(directory.Rva + ((uint)middle * entrySize)) is not { } begin)
            {
                return null;
            }

            (low, high) = begin <= rva ? (middle + 1, high) : (low, middle);
        }

        return low;
    }
}

/// <summary>An image file on disk, read as the loader would map it. Its content is as untrusted as the dump's; nothing of it is ever executed.</summary>
internal sealed class PeImageFile : IDisposable
{
    private readonly SafeFileHandle _handle;

    private PeImageFile(SafeFileHandle handle, PeHeaders headers, string path)
    {
        _handle = handle;
        Headers = headers;
        Path = path;
    }

    public PeHeaders Headers { get; }

    public string Path { get; }

    /// <summary>Opens a file; null when it cannot be read or is no image.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="owners">Whose files are opened; null for everybody's.</param>
    public static PeImageFile? Open(string path, FileOwners? owners = null)
    {
        SafeFileHandle? handle = null;
        try
        {
            handle = RegularFile.OpenHandle(path, owners);
            SafeFileHandle opened = handle;
            PeHeaders? headers = PeHeaders.Read((offset, destination) => ReadAt(opened, offset, destination));
            if (headers is not null)
            {
                handle = null;
                return new PeImageFile(opened, headers, path);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            // An unreadable file is no match; the caller goes on with the next place.
        }
        finally
        {
            handle?.Dispose();
        }

        return null;
    }

    /// <summary>Reads bytes of the file; false where it has not that many.</summary>
    public bool ReadAt(long offset, Span<byte> destination) => ReadUpTo(offset, destination) == destination.Length;

    /// <summary>Reads bytes of the file up to its end; returns how many there are.</summary>
    public int ReadUpTo(long offset, Span<byte> destination) => ReadUpTo(_handle, offset, destination);

    /// <summary>Reads mapped bytes, zero where a section has no data in the file.</summary>
    public bool ReadRva(uint rva, Span<byte> destination)
    {
        if (rva < Headers.SizeOfHeaders)
        {
            return (uint)destination.Length <= Headers.SizeOfHeaders - rva && ReadAt(_handle, rva, destination);
        }

        foreach (PeSection section in Headers.Sections)
        {
            if (section.Contains(rva))
            {
                return ReadSection(section, rva - section.VirtualAddress, destination);
            }
        }

        return false;
    }

    public void Dispose() => _handle.Dispose();

    private bool ReadSection(PeSection section, uint offset, Span<byte> destination)
    {
        if ((uint)destination.Length > section.VirtualSize - offset)
        {
            return false;
        }

        uint inFile = offset < section.RawSize ? Math.Min(section.RawSize - offset, (uint)destination.Length) : 0;
        destination[(int)inFile..].Clear();
        return inFile == 0 || ReadAt(_handle, (long)section.RawOffset + offset, destination[..(int)inFile]);
    }

    private static bool ReadAt(SafeFileHandle handle, long offset, Span<byte> destination) => ReadUpTo(handle, offset, destination) == destination.Length;

    private static int ReadUpTo(SafeFileHandle handle, long offset, Span<byte> destination)
    {
        int total = 0;
        try
        {
            while (total < destination.Length && RandomAccess.Read(handle, destination[total..], offset + total) is > 0 and var read)
            {
                total += read;
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or NotSupportedException or ObjectDisposedException)
        {
            // What cannot be read is not there.
        }

        return total;
    }
}

/// <summary>
/// The images of a process's modules. They are read from the dump's memory and, where that lacks them, from files in the directories that the user named.
/// A file is taken only when its time stamp and size of image are those that the dump records. Safe for concurrent use.
/// </summary>
public sealed class PeImages : IDisposable
{
    private readonly IMemory _memory;
    private readonly IModuleMap _modules;
    private readonly ImageDirectories _directories;
    private readonly StoreFiles? _ownFiles;
    private readonly int _maxImages;
    private readonly ConcurrentDictionary<ulong, Lazy<Entry>> _images = new();
    private readonly ConcurrentQueue<ReaderProblem> _problems = new();

    /// <summary>Creates the set; nothing is read yet.</summary>
    /// <param name="memory">Memory of the process; must outlive this object.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="imageDirectories">Directories with image files by name, or laid out as a symbol store
    /// (<c>file/time stamp and size/file</c>); null for none.</param>
    /// <param name="limits">Limits; null for the defaults.</param>
    /// <param name="stores">Finds files below the directories; must outlive this object. Null for one of its own.</param>
    /// <param name="files">Single files that are looked at first; null for none.</param>
    public PeImages(
        IMemory memory, IModuleMap modules, IReadOnlyList<string>? imageDirectories = null, ReadLimits? limits = null, StoreFiles? stores = null,
        NamedFiles? files = null)
    {
        _memory = memory;
        _modules = modules;
        _ownFiles = stores is null ? new StoreFiles() : null;
        _directories = new ImageDirectories(imageDirectories ?? [], stores ?? _ownFiles!, files ?? NamedFiles.None);
        _maxImages = (limits ?? ReadLimits.Default).MaxModules;
    }

    /// <summary>What is wrong with the images read so far, ordered by address.</summary>
    public IReadOnlyList<ReaderProblem> Problems =>
        [.. _problems.OrderBy(problem => problem.Offset).ThenBy(problem => problem.Message, StringComparer.Ordinal)];

    /// <summary>The image of a module; null when neither memory nor a matching file has its headers.</summary>
    public PeImage? Find(ModuleSnapshot module)
    {
        if (_images.Count >= _maxImages)
        {
            return _images.TryGetValue(module.BaseAddress, out Lazy<Entry>? known) ? known.Value.Image : null;
        }

        return _images.GetOrAdd(module.BaseAddress, static (_, state) => new Lazy<Entry>(() => state.Images.Open(state.Module)),
            (Images: this, Module: module)).Value.Image;
    }

    /// <summary>True when the absolute address lies in a module, whether or not its image can be read.</summary>
    public bool IsInModule(ulong address) => _modules.Find(address) is not null;

    /// <summary>The image that contains an absolute address, with the address relative to it; null when there is none.</summary>
    public PeImage? Find(ulong address, out uint rva)
    {
        rva = 0;
        if (_modules.Find(address) is not { } module || address - module.BaseAddress > uint.MaxValue)
        {
            return null;
        }

        rva = (uint)(address - module.BaseAddress);
        return Find(module);
    }

    /// <summary>Closes the image files. Images read afterwards see the dump's memory only.</summary>
    public void Dispose()
    {
        foreach (Lazy<Entry> entry in _images.Values)
        {
            if (entry.IsValueCreated)
            {
                entry.Value.File?.Dispose();
            }
        }

        _ownFiles?.Dispose();
    }

    private Entry Open(ModuleSnapshot module)
    {
        PeImageFile? file = _directories.Open(module);
        PeHeaders? inMemory = PeHeaders.Read((offset, destination) =>
            offset < module.Size
            && (ulong)destination.Length <= module.Size - offset
            && module.BaseAddress <= ulong.MaxValue - module.Size
            && _memory.TryRead(module.BaseAddress + offset, destination));
        if ((inMemory ?? file?.Headers) is not { } headers)
        {
            return default;
        }

        PeImage image = new(module, _memory, headers, file);
        if (inMemory is not null && inMemory.SizeOfImage != module.Size)
        {
            _problems.Enqueue(new ReaderProblem(
                "Image", $"{module.Name}: the headers in memory give another size of image than the module list.", module.BaseAddress) { LosesFacts = false });
        }

        return new Entry(image, file);
    }

    private readonly record struct Entry(PeImage? Image, PeImageFile? File);
}

/// <summary>An entry of an ARM64 exception directory (Microsoft's "ARM64 exception handling" documentation).</summary>
/// <param name="Begin">Relative address of the first instruction.</param>
/// <param name="Data">Packed unwind data, or the relative address of a record.</param>
internal readonly record struct Arm64FunctionEntry(uint Begin, uint Data)
{
    /// <summary>Reads an entry, or returns null when any byte is missing.</summary>
    public static Arm64FunctionEntry? Read(IRvaReader image, uint rva)
    {
        Span<byte> bytes = stackalloc byte[Arm64FunctionLayout.EntrySize];
        return image.ReadRva(rva, bytes)
            ? new Arm64FunctionEntry(BinaryPrimitives.ReadUInt32LittleEndian(bytes),
                BinaryPrimitives.ReadUInt32LittleEndian(bytes[Arm64FunctionLayout.EntryData..]))
            : null;
    }

    /// <summary>
    /// The entry in the form that function tables of every architecture have: its end is read from the packed
    /// data or the record. Null when the record is not readable.
    /// </summary>
    public RuntimeFunction? ToFunction(IRvaReader image)
    {
        uint? instructions = (Data & Arm64FunctionLayout.FlagMask) == Arm64FunctionLayout.FlagRecord
            ? image.ReadUInt32(Data) & Arm64FunctionLayout.LengthMask
            : (Data >> Arm64FunctionLayout.PackedLengthShift) & Arm64FunctionLayout.PackedLengthMask;
        return instructions is { } length && Begin <= uint.MaxValue - length * Arm64FunctionLayout.InstructionSize
            ? new RuntimeFunction(Begin, Begin + length * Arm64FunctionLayout.InstructionSize, Data)
            : null;
    }
}
