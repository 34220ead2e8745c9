using Dump.Clr.Frames;
using Dump.Clr.Runtimes;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Objects;

/// <summary>Lists the objects that a stack refers to.</summary>
internal static class StackObjectReader
{
    private const int MostObjects = 100_000;
    private const int LongestName = 512;
    private const int LongestText = 120;

    /// <summary>Reads them, innermost frame first. Precise: what the runtime's collector would keep alive, no words that only look like references.</summary>
    /// <param name="stacks">Reads the stacks of its runtime.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="options">How to read.</param>
    /// <returns>Null where the library cannot be asked: its walk of the stack turns in a circle, or it has crashed on that before.</returns>
    public static IReadOnlyList<StackObject>? Read(StackReader stacks, ClrThread thread, ClrReadOptions options)
    {
        if (ManagedThread.Read(stacks, thread, options.Limits.MaxFrames, options.IsCareful).HasUnreadObjects)
        {
            return null;
        }

        HashSet<(ulong, ulong, string?, ulong?)> seen = [];
        List<StackObject> objects = [];
        foreach (ClrStackRoot root in thread.EnumerateStackRoots().Take(MostObjects))
        {
            ClrObject target = root.Object;
            if (!target.IsValid || target.Type is not { } type || !seen.Add((root.Address, target.Address, root.RegisterName, root.StackFrame?.StackPointer)))
            {
                continue;
            }

            objects.Add(new StackObject(
                target.Address,
                SafeText.Clean(type.Name ?? "?", LongestName),
                type.IsString ? SafeText.Clean(target.AsString(LongestText) ?? "", LongestText) : null,
                root.Address == 0 ? null : root.Address,
                root.Address == 0 && root.RegisterName is { Length: > 0 } register ? SafeText.Clean(register) : null,
                root.StackFrame?.Method is { } method ? MethodNames.Of(method) : null));
        }

        return objects;
    }
}
