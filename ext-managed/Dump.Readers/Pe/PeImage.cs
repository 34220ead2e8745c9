using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using Dump.Model.Process;

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
