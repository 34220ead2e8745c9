namespace Dump.Clr.Awaits;

/// <summary>
/// What leads into the heap besides stacks (dotnet/runtime, src/coreclr/gc/gcinterface.h, src/libraries/System.Private.CoreLib/src/System/WeakReference.cs): a weak
/// handle counts only for who has it where an object on the heap keeps it, which a weak reference does with flags in its lowest bits; who else has one, native
/// code for a delegate, is not seen. Dependent handles count for everybody: tables of them can be listed. The condition of a monitor, which the runtime of .NET 11
/// alone looks for, counts for who has the object.
/// </summary>
/// <param name="Strong">Objects that handles keep, or that everybody may have: what dependent handles lead from and to, what waits for a finalizer of the program.</param>
/// <param name="Weak">Objects by the address of their weak handle.</param>
/// <param name="Conditions">Conditions of monitors by their object.</param>
/// <param name="Frozen">Beginnings of the segments that are never collected, to whose objects machine code refers.</param>
internal sealed record HandleReferences(
    IReadOnlyCollection<ulong> Strong, IReadOnlyDictionary<ulong, ulong> Weak, ILookup<ulong, ulong> Conditions, IReadOnlySet<ulong> Frozen)
{
    /// <summary>Without the flags of a weak reference.</summary>
    public const ulong HandleMask = ~3UL;
}
