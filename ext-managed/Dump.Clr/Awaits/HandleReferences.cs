namespace Dump.Clr.Awaits;

/// <summary>
/// What handles lead to (dotnet/runtime, src/coreclr/gc/gcinterface.h, src/libraries/System.Private.CoreLib/src/System/WeakReference.cs): a weak one only for who
/// has the handle, which a weak reference keeps with flags in its lowest bits; a dependent one for who has what it depends on.
/// </summary>
/// <param name="Strong">Objects that handles keep.</param>
/// <param name="Weak">Objects by the address of their weak handle.</param>
/// <param name="Dependents">Objects by what they depend on.</param>
internal sealed record HandleReferences(IReadOnlyCollection<ulong> Strong, IReadOnlyDictionary<ulong, ulong> Weak, ILookup<ulong, ulong> Dependents)
{
    /// <summary>Without the flags of a weak reference.</summary>
    public const ulong HandleMask = ~3UL;
}
