using System.Collections.Immutable;
using System.Diagnostics;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Runtime.InteropServices;
using Dump.Model.Managed;
using Dump.Readers;
using Dump.Readers.Stores;
using Dump.Readers.Symbols.Portable;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.Utilities;

namespace Dump.Clr.Frames;

/// <summary>
/// Where frames stand in the intermediate language of their methods, by the runtime's maps of machine code, and which modules they belong to. Lines are looked
/// for later, by whoever shows them.
/// </summary>
/// <param name="runtime">The runtime.</param>
/// <param name="memory">Memory of the process.</param>
/// <param name="isCareful">True to ask the data-access library for nothing, because it has crashed on this dump before.</param>
/// <param name="onFault">Called for each place on which the library fails; null where nobody asks.</param>
/// <param name="files">Where the files of modules lie whose code the dump leaves out; null to open none.</param>
internal sealed class ManagedPlaces(ClrRuntime runtime, IMemory memory, bool isCareful, Action? onFault, ProcessFiles? files = null)
{
    private const int MostModules = 10_000;
    private const int LongestBody = 1 << 20;
    private const int MostMetadata = 64 << 20;
    private const int MostFiles = 64;
    private const int FatHeader = 12;
    private const int Regions = 4_096;
    private readonly Dictionary<ulong, int> _indexes = [];
    private readonly Dictionary<(int Module, int Token), ClrMethod> _methods = [];
    private readonly Dictionary<(int Module, int Token), SemaphoreTurns?> _turns = [];
    private readonly Dictionary<ulong, MetadataReader?> _metadata = [];
    private readonly Dictionary<ulong, ModuleFile?> _files = [];

    // Of all modules together: many may name the same bytes.
    private long _metadataLeft = MostMetadata;
    private readonly Dictionary<ulong, ImmutableArray<ILToNativeMap>> _maps = [];
    private readonly Dictionary<ulong, IlOffset?> _later = [];
    private readonly CodeVersions _versions = new(runtime);
    private readonly ImmutableArray<ManagedModule>.Builder _modules = ImmutableArray.CreateBuilder<ManagedModule>();

    /// <summary>The modules so far.</summary>
    public ImmutableArray<ManagedModule> Modules => _modules.ToImmutable();

    /// <summary>The place of a frame; null where it is none of a method in a module with metadata.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="isReturn">True when its address is one that a call returns to, so that the call stands before it.</param>
    public MethodPlace? Of(ManagedFrame frame, bool isReturn) => Unless(() => Find(frame, isReturn));

    /// <summary>The place of a method that is suspended; null where it is none of a module with metadata.</summary>
    /// <param name="method">The method.</param>
    /// <param name="address">The address of its await.</param>
    public MethodPlace? Of(ClrMethod method, ulong address) => Unless(() => Find(method, address));

    /// <summary>The method in which a state machine waits, without a place in it; null where it is unknown.</summary>
    /// <param name="machine">Type of the state machine.</param>
    public MethodPlace? OfStateMachine(ClrType? machine) => Unless(() => Find(machine));

    /// <summary>Where a method uses semaphores as locks; null where its code cannot be read.</summary>
    /// <param name="place">A place in it that was found here.</param>
    public SemaphoreTurns? TurnsOf(MethodPlace place)
    {
        (int, int) key = (place.Module, place.MethodToken);
        if (!_turns.TryGetValue(key, out SemaphoreTurns? turns) && _methods.TryGetValue(key, out ClrMethod? method))
        {
            turns = Unless(() => ReadTurns(method));
            _turns.Add(key, turns);
        }

        return turns;
    }

    /// <summary>The module that a place belongs to, or null.</summary>
    /// <param name="place">A place that was found here.</param>
    public ClrModule? ModuleOf(MethodPlace place) => _methods.GetValueOrDefault((place.Module, place.MethodToken))?.Type.Module;

    /// <summary>The library documents no exceptions for damaged dumps: what it fails on has no place, and a line less takes no frame away.</summary>
    private T? Unless<T>(Func<T?> find)
        where T : class
    {
        try
        {
            return isCareful ? null : find();
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            onFault?.Invoke();
            return null;
        }
    }

    private MethodPlace? Find(ManagedFrame frame, bool isReturn) =>
        frame.Method is { } method ? Find(method, frame.InstructionPointer - (isReturn ? 1UL : 0UL)) : null;

    private MethodPlace? Find(ClrMethod method, ulong address)
    {
        if (method is not { Type.Module: { IsDynamic: false } module, MetadataToken: not 0 } || IndexOf(module) is not { } index)
        {
            return null;
        }

        _methods.TryAdd((index, method.MetadataToken), method);
        return (IlOffset.Of(MapOf(method), address) ?? InLaterCode(address)) is not { } found
            ? new MethodPlace(index, method.MetadataToken)
            : new MethodPlace(index, method.MetadataToken) { Offset = found.Offset, IsApproximate = !found.IsExact || MayBeOptimised(module) };
    }

    private MethodPlace? Find(ClrType? machine)
    {
        if (machine is not { Module: { IsDynamic: false } module } || IndexOf(module) is not { } index
            || machine.Methods.FirstOrDefault(m => m.Name == "MoveNext") is not { MetadataToken: not 0 } method)
        {
            return null;
        }

        _methods.TryAdd((index, method.MetadataToken), method);
        return new MethodPlace(index, method.MetadataToken);
    }

    private SemaphoreTurns? ReadTurns(ClrMethod method)
    {
        if (MetadataOf(method.Type.Module) is not { } names)
        {
            return null;
        }

        ReadOnlySpan<byte> body = BodyInMemory(method);
        return body.IsEmpty ? ReadTurnsOfFile(method, names) : SemaphoreTurns.Read(body, names);
    }

    /// <summary>The body of a method, from its header on; empty where the dump does not have it.</summary>
    private ReadOnlySpan<byte> BodyInMemory(ClrMethod method)
    {
        if (method.GetILInfo() is not { Length: > 0 and <= LongestBody } code || code.Address < FatHeader)
        {
            return [];
        }

        // A small body has a header of one byte, which says its length; what follows a larger one are its regions of exceptions.
        byte[] bytes = new byte[FatHeader + code.Length + Regions];
        int read = memory.Read(code.Address - FatHeader, bytes);
        int header = bytes[FatHeader - 1] == ((code.Length << 2) | 2) ? FatHeader - 1 : 0;
        return read < FatHeader + code.Length ? [] : bytes.AsSpan(header..read);
    }

    private SemaphoreTurns? ReadTurnsOfFile(ClrMethod method, MetadataReader names)
    {
        ClrModule module = method.Type.Module;
        if (!_files.TryGetValue(module.Address, out ModuleFile? file))
        {
            file = files is not null && _files.Count < MostFiles && module.Name is { } path ? ModuleFile.Open(files, path, names.GetGuid(names.GetModuleDefinition().Mvid)) : null;
            _files.Add(module.Address, file);
        }

        return file?.At(names.GetMethodDefinition(MetadataTokens.MethodDefinitionHandle(method.MetadataToken & 0xFF_FFFF)).RelativeVirtualAddress, LongestBody) is
            { IsEmpty: false } body ? SemaphoreTurns.Read(body.AsSpan(), names) : null;
    }

    private MetadataReader? MetadataOf(ClrModule module)
    {
        if (!_metadata.TryGetValue(module.Address, out MetadataReader? reader))
        {
            byte[] bytes = module is { MetadataAddress: not 0, MetadataLength: > 0 and <= MostMetadata } && (long)module.MetadataLength <= _metadataLeft ? new byte[module.MetadataLength] : [];
            _metadataLeft -= bytes.Length;
            reader = bytes.Length > 0 && memory.TryRead(module.MetadataAddress, bytes)
                ? MetadataReaderProvider.FromMetadataImage(ImmutableCollectionsMarshal.AsImmutableArray(bytes)).GetMetadataReader() : null;
            _metadata.Add(module.Address, reader);
        }

        return reader;
    }

    private static bool MayBeOptimised(ClrModule module) => (module.DebuggingMode & DebuggableAttribute.DebuggingModes.DisableOptimizations) == 0;

    private ImmutableArray<ILToNativeMap> MapOf(ClrMethod method)
    {
        if (!_maps.TryGetValue(method.MethodDesc, out ImmutableArray<ILToNativeMap> map))
        {
            map = method.ILOffsetMap;
            _maps.Add(method.MethodDesc, map);
        }

        return map;
    }

    private IlOffset? InLaterCode(ulong address)
    {
        if (!_later.TryGetValue(address, out IlOffset? found))
        {
            found = _versions.Of(address);
            _later.Add(address, found);
        }

        return found;
    }

    private int? IndexOf(ClrModule module)
    {
        if (_indexes.TryGetValue(module.Address, out int known))
        {
            return known;
        }

        if (_modules.Count >= MostModules)
        {
            return null;
        }

        _modules.Add(Describe(module));
        _indexes.Add(module.Address, _modules.Count - 1);
        return _modules.Count - 1;
    }

    private ManagedModule Describe(ClrModule module)
    {
        using ManagedImage? image = module.ImageBase == 0 ? null : ManagedImage.InMemory(memory, module.ImageBase);
        return new ManagedModule(module.Name, module.ImageBase)
        {
            TimeDateStamp = image?.Identity.TimeDateStamp,
            ImageSize = image?.Identity.SizeOfImage,
            VersionId = image is null ? ModuleVersion.InMemory(memory, module.MetadataAddress, module.MetadataLength) : null,
            PdbPath = image?.Pdb?.Path,
            PdbId = image?.Pdb?.Guid,
            PdbStamp = image?.Pdb?.Stamp,
        };
    }
}

/// <summary>
/// Places in intermediate language of machine code that a method has got later: the runtime compiles a method that is called often anew, and one whose loop runs
/// long while it runs, and each code has a map of its own. ClrMD knows the map of the first code only, so the data-access library is asked for an address.
/// </summary>
/// <param name="runtime">The runtime.</param>
internal sealed unsafe class CodeVersions(ClrRuntime runtime)
{
    private const int MostOffsets = 16;

    // In optimised code seen up to some tens of bytes.
    private const uint FarthestBefore = 512;
    private const int Success = 0;

    // Calls of the library for a whole dump; each reads the map of one code.
    private const int MostCalls = 200_000;
    private int _callsLeft = MostCalls;

    private readonly CallableCOMWrapper? _process = DataAccessProcess.Of(runtime);

    /// <summary>The place of an address; null where its code has nothing for it, or is none.</summary>
    /// <param name="address">An address in machine code of a method.</param>
    public IlOffset? Of(ulong address)
    {
        nint process = _process?.QueryInterface(DataAccessLayout.Process) ?? 0;
        if (process == 0)
        {
            return null;
        }

        try
        {
            return MethodAt(process, address) is not 0 and var method ? Of(method, address) : null;
        }
        finally
        {
            Marshal.Release(process);
        }
    }

    private IlOffset? Of(nint method, ulong address)
    {
        try
        {
            switch (OffsetAt(method, address))
            {
                case null:
                    return null;
                case >= 0 and var offset:
                    return new IlOffset(offset, true);
                case IlOffset.Prolog:
                    return new IlOffset(0, true);
            }

            for (uint back = 1; back <= FarthestBefore && back <= address && OffsetAt(method, address - back) is { } before; back++)
            {
                if (before >= 0)
                {
                    return new IlOffset(before, false);
                }
            }

            return null;
        }
        finally
        {
            Marshal.Release(method);
        }
    }

    /// <summary>What the map of the code at an address has for it; null when it has nothing.</summary>
    private int? OffsetAt(nint method, ulong address)
    {
        if (_callsLeft-- <= 0)
        {
            _callsLeft = 0;
            return null;
        }

        uint* offsets = stackalloc uint[MostOffsets];
        uint count = 0;
        var ask = (delegate* unmanaged<nint, ulong, uint, uint*, uint*, int>)DataAccessProcess.Slot(method, DataAccessLayout.GetILOffsetsByAddress);
        return ask(method, address, MostOffsets, &count, offsets) >= Success && count > 0 ? (int)offsets[Math.Min(count, MostOffsets) - 1] : null;
    }

    /// <summary>The first method with code at an address, to be released; 0 for none.</summary>
    private static nint MethodAt(nint process, ulong address)
    {
        ulong list = 0;
        var start = (delegate* unmanaged<nint, ulong, nint, ulong*, int>)DataAccessProcess.Slot(process, DataAccessLayout.StartEnumMethodInstancesByAddress);
        if (start(process, address, 0, &list) != Success)
        {
            return 0;
        }

        nint method = 0;
        var next = (delegate* unmanaged<nint, ulong*, nint*, int>)DataAccessProcess.Slot(process, DataAccessLayout.EnumMethodInstanceByAddress);
        int found = next(process, &list, &method);
        _ = ((delegate* unmanaged<nint, ulong, int>)DataAccessProcess.Slot(process, DataAccessLayout.EndEnumMethodInstancesByAddress))(process, list);
        return found == Success ? method : 0;
    }
}

/// <summary>
/// A place in intermediate language, by the map that the compiler of the machine code has left: ranges of addresses and the offset that each belongs to. The
/// same choice as the runtime makes for its own stack traces (dotnet/runtime, src/coreclr/debug/ee/functioninfo.cpp, MapNativeOffsetToIL).
/// </summary>
/// <param name="Offset">Offset in the method's intermediate language.</param>
/// <param name="IsExact">False when the address itself has no offset, and the one before it is given.</param>
internal readonly record struct IlOffset(int Offset, bool IsExact)
{
    // ICorDebugInfo::MappingTypes, dotnet/runtime, src/coreclr/inc/cordebuginfo.h: code without a place, before the first and behind the last statement.
    public const int NoMapping = -1;
    public const int Prolog = -2;
    public const int Epilog = -3;

    /// <summary>The place of an address; null where the map has nothing for it: it is that of other code of the method.</summary>
    /// <param name="map">The map.</param>
    /// <param name="address">An address.</param>
    public static IlOffset? Of(ImmutableArray<ILToNativeMap> map, ulong address)
    {
        if (map.IsDefault)
        {
            return null;
        }

        int covering = -1, before = -1;
        for (int i = 0; i < map.Length; i++)
        {
            if (address < map[i].StartAddress)
            {
                continue;
            }

            covering = address < map[i].EndAddress ? i : covering;
            before = map[i].ILOffset >= 0 && (before < 0 || map[i].StartAddress >= map[before].StartAddress) ? i : before;
        }

        return covering < 0 ? null
            : map[covering].ILOffset switch
            {
                >= 0 and var offset => new IlOffset(offset, true),
                Prolog => new IlOffset(0, true),
                NoMapping or Epilog when before >= 0 => new IlOffset(map[before].ILOffset, false),
                _ => null,
            };
    }
}
