using Dump.Clr.Frames;
using Dump.Clr.Locks;
using Dump.Model.Facts;
using Dump.Model.Text;
using Dump.Model.Waits;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Waits;

/// <summary>
/// The <c>SpinLock</c> that a thread polls: a struct inside of an object, which the frames of its methods
/// refer to. It is found when exactly one such object has exactly one field of the type.
/// </summary>
internal static class SpinLockTargets
{
    /// <summary>The lock, or nothing when several can be it.</summary>
    public static WaitTarget[] Find(ManagedThread thread, WaitCall wait)
    {
        ulong outer = wait.Run[^1].StackPointer;
        ClrObject[] owners = [.. thread.Interiors.Where(r => r.FrameStackPointer is { } sp && sp <= outer).Select(r => r.Object).DistinctBy(o => o.Address)
            .Where(o => Locks(o).Any())];
        if (owners is not [var owner] || Locks(owner).ToArray() is not [var (address, field)])
        {
            return [];
        }

        string name = $"{TypeNames.Of(owner.Type) ?? "?"}{(field is null ? "" : $".{SafeText.Clean(field, 128)}")}";
        return
        [
            new WaitTarget(
                new Resource(ResourceKind.SpinLock, address), name, Grade.Derived,
                new Evidence(EvidenceSource.Runtime, $"the only SpinLock in the object that the frames of {wait.Function.Type}.{wait.Function.Method} refer to",
                    owner.Address)),
        ];
    }

    /// <summary>Addresses of the lock structs in an object, with their fields' names; a boxed one is the object itself.</summary>
    private static IEnumerable<(ulong Address, string? Field)> Locks(ClrObject target) => target.Type switch
    {
        null => [],
        { Name: SpinLockOwners.TypeName } => [(target.Address + (ulong)IntPtr.Size, null)],
        var type => type.Fields.Where(f => f.Type?.Name == SpinLockOwners.TypeName).Select(f => (f.GetAddress(target.Address), f.Name)),
    };
}
