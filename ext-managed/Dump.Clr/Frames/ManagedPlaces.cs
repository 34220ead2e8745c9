using System.Collections.Immutable;
using System.Diagnostics;
using Dump.Model.Managed;
using Dump.Readers;
using Dump.Readers.Symbols.Portable;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>
/// Where frames stand in the intermediate language of their methods, by the runtime's maps of machine code, and which modules they belong to. Lines are looked
/// for later, by whoever shows them.
/// </summary>
/// <param name="runtime">The runtime.</param>
/// <param name="memory">Memory of the process.</param>
/// <param name="isCareful">True to ask the data-access library for nothing, because it has crashed on this dump before.</param>
/// <param name="onFault">Called for each place on which the library fails; null where nobody asks.</param>
internal sealed class ManagedPlaces(ClrRuntime runtime, IMemory memory, bool isCareful, Action? onFault)
{
    private const int MostModules = 10_000;
    private readonly Dictionary<ulong, int> _indexes = [];
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

    /// <summary>The library documents no exceptions for damaged dumps: what it fails on has no place, and a line less takes no frame away.</summary>
    private MethodPlace? Unless(Func<MethodPlace?> find)
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

        return (IlOffset.Of(MapOf(method), address) ?? InLaterCode(address)) is not { } found
            ? new MethodPlace(index, method.MetadataToken)
            : new MethodPlace(index, method.MetadataToken) { Offset = found.Offset, IsApproximate = !found.IsExact || MayBeOptimised(module) };
    }

    private MethodPlace? Find(ClrType? machine) =>
        machine is { Module: { IsDynamic: false } module } && IndexOf(module) is { } index
            && machine.Methods.FirstOrDefault(m => m.Name == "MoveNext") is { MetadataToken: not 0 and var token }
            ? new MethodPlace(index, token) : null;

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
