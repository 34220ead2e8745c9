using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Requests;

/// <summary>Reads one field of the state machines of async methods, which is found once for each of them.</summary>
/// <param name="heap">The heap.</param>
/// <param name="objects">Counts what cannot be read.</param>
/// <param name="name">The field's name; it holds a reference.</param>
internal sealed class MachineField(ClrHeap heap, RequestObjects objects, string name)
{
    private readonly Dictionary<ulong, (ClrInstanceField Machine, ClrInstanceField? Field)?> _boxes = [];

    /// <summary>True once an async method was met whose state machine does not have the field.</summary>
    public bool IsMissing { get; private set; }

    /// <summary>The object that the field refers to; null where it refers to none, or the method does not have it.</summary>
    /// <param name="address">The object that an async method lives in.</param>
    public ClrObject? Of(ulong address) => objects.Unless(() => Read(address));

    private ClrObject? Read(ulong address)
    {
        ClrObject box = heap.GetObject(address);
        if (box.Type is not { } type)
        {
            return null;
        }

        if (!_boxes.TryGetValue(type.MethodTable, out (ClrInstanceField Machine, ClrInstanceField? Field)? known))
        {
            known = type.GetFieldByName("StateMachine") is { } field
                ? (field, field.IsObjectReference ? null : field.Type?.GetFieldByName(name)) : null;
            _boxes.Add(type.MethodTable, known);
        }

        if (known is not var (machine, inside))
        {
            return null;
        }

        ClrObject found;
        if (machine.IsObjectReference)
        {
            ClrObject own = machine.ReadObject(address, interior: false);
            inside = own.Type?.GetFieldByName(name);
            found = inside is { IsObjectReference: true } ? inside.ReadObject(own.Address, interior: false) : default;
        }
        else
        {
            found = inside is { IsObjectReference: true } ? inside.ReadObject(machine.GetAddress(address), interior: true) : default;
        }

        IsMissing |= inside is null;
        return found is { IsNull: false, IsValid: true } ? found : null;
    }
}
