using System.Collections.Concurrent;
using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers.Elf;
using Dump.Readers.Pe;
using Dump.Readers.Stores;
using Dump.Readers.Symbols.Pdb;
using Dump.Readers.Unwinding.X86;

namespace Dump.Readers.Symbols;

/// <summary>
/// Names of functions from PDB files, export tables and the symbol tables of image files, and lines from PDB files and from DWARF in image files. The PDB
/// comes first; but where an undecorated export begins at the
/// same address, its name is the one taken, because stacks are matched by the names that Windows documents, with a PDB or without. Safe for concurrent use.
/// </summary>
/// <param name="images">Images of the modules.</param>
/// <param name="modules">The modules.</param>
/// <param name="path">Where PDB files are looked for; null for exports only.</param>
/// <param name="files">Finds files there; must outlive this object. Null for one of its own.</param>
public sealed class ModuleSymbols(PeImages images, IModuleMap modules, SymbolSearchPath? path = null, StoreFiles? files = null)
    : ISymbols, IFrameDescriptions, IDisposable
{
    private readonly ModulePdbs _pdbs = new(path ?? SymbolSearchPath.None, files);
    private readonly ConcurrentDictionary<PeImage, Lazy<DwarfLines?>> _lines = new();

    // A system-call stub is 32 bytes long at most; its call stands in the first 0x14.
    private const uint LongestStub = 0x20;

    // An ARM64 stub is "svc", on which the thread's program counter follows, and "ret". Source: stacks of ARM64 dumps, such as in dotnet/runtime issue 107671
    // (NtWaitForMultipleObjects+0x4).
    private const uint Arm64ReturnOffset = 4;

    // A thread inside a system call returns to the instruction behind "syscall", which stands at this offset of every x64 stub.
    private const uint ReturnOffset = 0x14;

    /// <summary>File names of the PDB files that were used so far, ordered.</summary>
    public IReadOnlyList<string> PdbFiles => _pdbs.Used;

    /// <summary>PDB files that were refused or not found so far, and what of the symbol path is not used for that.</summary>
    public IReadOnlyList<ReaderProblem> Problems => _pdbs.Problems;

    /// <inheritdoc/>
    public FunctionName? NameOf(ulong address, ulong? functionStart)
    {
        if (images.Find(address, out uint rva) is not { } image)
        {
            return null;
        }

        if (functionStart is { } start && start >= image.BaseAddress && start - image.BaseAddress <= uint.MaxValue)
        {
            return Exact(image, (uint)(start - image.BaseAddress)) ?? Covering(image, rva);
        }

        return Exact(image, rva) ?? Covering(image, rva) ?? Stub(image, rva);
    }

    /// <inheritdoc/>
    public SourceLocation? SourceOf(ulong address) => images.Find(address, out uint rva) is not { } image ? null
        : _pdbs.Of(image) is { } pdb ? pdb.Lines.At(rva)
        : PlaceIn(image, rva).Source;

    /// <inheritdoc/>
    public ImmutableArray<InlinedCall> InlinedAt(ulong address) =>
        images.Find(address, out uint rva) is { } image && _pdbs.Of(image) is null ? PlaceIn(image, rva).Inlined : [];

    /// <inheritdoc/>
    public ulong? AddressOf(string moduleStem, string name)
    {
        foreach (ModuleSnapshot module in modules.Modules)
        {
            if (Path.GetFileNameWithoutExtension(module.Name).Equals(moduleStem, StringComparison.OrdinalIgnoreCase) && AddressIn(module, name) is { } address)
            {
                return address;
            }
        }

        return null;
    }

    /// <inheritdoc/>
    public ulong? AddressIn(ModuleSnapshot module, string name) =>
        images.Find(module) is { } image && (image.FindExport(name) is { IsForwarder: false } export ? export.Rva : PublicAddress(image, name)) is { } rva
            && rva < image.Size
            ? module.BaseAddress + rva
            : null;

    /// <inheritdoc/>
    public FrameDescription? Find(uint address) => images.Find(address, out uint rva) is { } image ? _pdbs.Of(image)?.Frames.Find(rva) : null;

    /// <summary>Closes the PDB files.</summary>
    public void Dispose() => _pdbs.Dispose();

    /// <summary>The address of a public symbol. C names of 32-bit code begin with an underscore.</summary>
    private uint? PublicAddress(PeImage image, string name) =>
        _pdbs.Of(image) is { } pdb ? pdb.AddressOf(name) ?? (image.Machine == PeLayout.MachineX86 ? pdb.AddressOf("_" + name) : null) : null;

    /// <summary>Where in the source code an address is by the DWARF in the image's file, as GCC and Clang for Windows leave it there.</summary>
    private LinePlace PlaceIn(PeImage image, uint rva) =>
        _lines.GetOrAdd(image, static i => new Lazy<DwarfLines?>(() => DwarfLines.Read(i.ReadFileSection))).Value is { } lines
            ? lines.Place(image.PreferredBase + rva) : LinePlace.Unknown;

    /// <summary>The name of the function that begins at an address.</summary>
    private FunctionName? Exact(PeImage image, uint rva)
    {
        string? export = image.FindExport(rva)?.Name;
        if (_pdbs.Of(image)?.Functions.At(rva, export) is { } function && (export is null || export == function.Name || export.StartsWith('?')))
        {
            return new FunctionName(function.Name, image.BaseAddress + rva, function.Source);
        }

        return export is not null ? new FunctionName(SafeText.Clean(export, 512), image.BaseAddress + rva, SymbolSource.Export)
            : image.FindSymbol(rva) is { } symbol ? new FunctionName(symbol, image.BaseAddress + rva, SymbolSource.SymbolTable)
            : null;
    }

    /// <summary>The procedure whose code covers an address, by its length. Public symbols have no length, so none is taken for an address behind it.</summary>
    private FunctionName? Covering(PeImage image, uint rva) => _pdbs.Of(image)?.Functions.Covering(rva) is { } procedure
        ? new FunctionName(procedure.Name, image.BaseAddress + procedure.Rva, procedure.Source)
        : null;

    /// <summary>
    /// System-call stubs have no unwind information that would tell where they begin; their form does: an export shortly before, whose code loads RAX or the
    /// address follows a system call; where the code is not in the dump, an Nt or Zw export exactly as far before as the return from the call.
    /// </summary>
    private FunctionName? Stub(PeImage image, uint rva)
    {
        if (image.Machine == PeLayout.MachineArm64)
        {
            return Arm64Stub(image, rva);
        }

        if (image.FindExportAtOrBelow(rva) is not { } export || rva - export.Rva >= LongestStub || !image.AreInSameGap(export.Rva, rva))
        {
            return null;
        }

        Span<byte> head = stackalloc byte[4];
        Span<byte> before = stackalloc byte[2];
        bool begins = image.ReadRva(export.Rva, head) && head is [0x4C, 0x8B, 0xD1, 0xB8];
        bool follows = image.ReadRva(rva - 2, before) && (before is [0x0F, 0x05] or [0xCD, 0x2E]);
        bool unreadable = !image.ReadRva(rva - 2, before);
        bool stands = unreadable && rva - export.Rva == ReturnOffset
            && (export.Name.StartsWith("Nt", StringComparison.Ordinal) || export.Name.StartsWith("Zw", StringComparison.Ordinal));
        return begins || follows || stands ? Exact(image, export.Rva) : null;
    }

    /// <summary>The ARM64 form: an Nt or Zw export that is a system call alone, or whose code is not in the dump.</summary>
    private FunctionName? Arm64Stub(PeImage image, uint rva)
    {
        const uint SystemCall = 0xD400_0001;
        const uint SystemCallMask = 0xFFE0_001F;
        return rva >= Arm64ReturnOffset && image.FindExport(rva - Arm64ReturnOffset) is { } export
            && (export.Name.StartsWith("Nt", StringComparison.Ordinal) || export.Name.StartsWith("Zw", StringComparison.Ordinal))
            && image.AreInSameGap(export.Rva, rva) && image.ReadUInt32(export.Rva) is var code && (code is null || (code & SystemCallMask) == SystemCall)
                ? Exact(image, export.Rva)
                : null;
    }
}

/// <summary>The PDB files of images, found on a symbol path and opened once each. Safe for concurrent use.</summary>
/// <param name="path">Where to look.</param>
/// <param name="files">Finds files there; must outlive this object. Null for one of its own.</param>
internal sealed class ModulePdbs(SymbolSearchPath path, StoreFiles? files) : IDisposable
{
    private const int MaxFiles = 10_000;
    private const int MaxRejected = 100;
    private const int MaxNamed = 3;
    private readonly StoreFiles? _ownFiles = files is null ? new StoreFiles() : null;
    private readonly ConcurrentDictionary<PdbIdentity, Lazy<PdbFile?>> _files = new();
    private readonly ConcurrentQueue<ReaderProblem> _rejected = new();
    private readonly ConcurrentDictionary<string, bool> _used = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, bool> _missing = new(StringComparer.Ordinal);

    /// <summary>Names of the files that symbols were taken from, ordered.</summary>
    public IReadOnlyList<string> Used => [.. _used.Keys.Order(StringComparer.Ordinal)];

    /// <summary>Which files were refused and why, and which were not found and where was not looked, ordered.</summary>
    public IReadOnlyList<ReaderProblem> Problems =>
    [
        .. _rejected.OrderBy(p => p.Message, StringComparer.Ordinal),
        .. _missing.IsEmpty ? [] : (ReaderProblem[])[new("Symbols", Missing()) { LosesFacts = false }],
    ];

    /// <summary>The PDB of an image; null when the image names none or no matching file was found.</summary>
    public PdbFile? Of(PeImage image)
    {
        if (!path.HasPlaces || image.Pdb is not { } identity)
        {
            return null;
        }

        if (_files.Count >= MaxFiles)
        {
            return _files.TryGetValue(identity, out Lazy<PdbFile?>? known) ? known.Value : null;
        }

        return _files.GetOrAdd(identity, static (key, pdbs) => new Lazy<PdbFile?>(() => pdbs.Open(key)), this).Value;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (Lazy<PdbFile?> file in _files.Values)
        {
            if (file.IsValueCreated)
            {
                file.Value?.Dispose();
            }
        }

        _ownFiles?.Dispose();
    }

    private PdbFile? Open(PdbIdentity identity)
    {
        bool isFound = false;
        foreach (string candidate in path.Candidates(identity, files ?? _ownFiles!))
        {
            isFound = true;
            string name = SafeText.Clean(Path.GetFileName(candidate));
            if (PdbFile.Open(candidate, identity, out string? reason) is { } file)
            {
                _used.TryAdd(name, true);
                return file;
            }

            if (_rejected.Count < MaxRejected)
            {
                _rejected.Enqueue(new ReaderProblem("Symbols", $"{name} is not used: {reason}") { LosesFacts = false });
            }
        }

        if (!isFound && !path.IsEmpty)
        {
            _missing.TryAdd(SafeText.Clean(identity.FileName), true);
        }

        return null;
    }

    private string Missing()
    {
        string[] names = [.. _missing.Keys.Order(StringComparer.Ordinal)];
        string more = names.Length > MaxNamed ? $" and {names.Length - MaxNamed} more" : "";
        string[] absent = [.. path.Directories.Where(d => !Directory.Exists(d))];
        return $"the symbol path has no {string.Join(", ", names.Take(MaxNamed))}{more}"
            + (path.Skipped.IsEmpty ? "" : $"; only local directories are used, not {SafeText.Clean(string.Join(", ", path.Skipped), 512)}")
            + (path.Servers.IsEmpty ? "" : " (dumpanalyze fetch FILE asks its servers)")
            + (absent.Length == 0 ? "" : $"; there is no directory {SafeText.Clean(string.Join(", ", absent), 512)}");
    }
}

/// <summary>A function found by address.</summary>
/// <param name="Name">Its name, sanitised.</param>
/// <param name="Start">Address of its first instruction.</param>
/// <param name="Source">Where the name comes from.</param>
public readonly record struct FunctionName(string Name, ulong Start, SymbolSource Source);
