using Dump.Clr.Frames;
using Dump.Clr.Heap;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Awaits;

/// <summary>
/// Where a compiler-made state machine keeps the number of its await (<c>&lt;&gt;1__state</c>) and what it awaits (<c>&lt;&gt;u__N</c>; Roslyn,
/// GeneratedNames). An awaiter of the class library has its task in <c>m_task</c> or, for a ValueTask, in <c>_obj</c>, one or two structs deep; of others the
/// first reference counts.
/// </summary>
internal static class StateMachineLayout
{
    private const int LongestName = 256;
    private const int DeepestStruct = 4;

    /// <summary>The layout of the object that keeps a state machine, or refers to it.</summary>
    /// <param name="kind">What the object is.</param>
    /// <param name="type">Its type.</param>
    /// <param name="field">The field with the machine.</param>
    public static AsyncType Of(AsyncTypeKind kind, ClrType type, ClrInstanceField field)
    {
        // In optimised builds the machine is a struct inside of the object.
        int start = field.Offset + MethodTableLayout.Fields;
        AsyncType layout = field.IsObjectReference || field.Type is null
            ? new AsyncType(kind, NameOf(MachineIn(TypeNames.Of(type))), 0) { Machine = start }
            : OfMachine(kind, field.Type, start);
        return AsyncTypes.Sized(layout with
        {
            Flags = Offset(type, "m_stateFlags"),
            Continuation = Offset(type, "m_continuationObject"),
            Contingent = Offset(type, "m_contingentProperties"),
        });
    }

    /// <summary>The layout of a machine that is an object of its own.</summary>
    public static AsyncType OfMachine(ClrType machine) => AsyncTypes.Sized(OfMachine(AsyncTypeKind.Machine, machine, MethodTableLayout.Fields));

    private static AsyncType OfMachine(AsyncTypeKind kind, ClrType machine, int start) => new(kind, NameOf(TypeNames.Of(machine)), 0)
    {
        State = Within(machine.GetFieldByName("<>1__state"), start),
        Awaiters = [.. AwaitersOf(machine, start).Where(o => o is >= 0 and <= AsyncTypes.LargestObject - sizeof(ulong))],
        IsIterator = machine.GetFieldByName("<>v__promiseOfValueOrEnd") is not null,
    };

    private static IEnumerable<int> AwaitersOf(ClrType machine, int start)
    {
        foreach (ClrInstanceField field in machine.Fields.Where(f => f.Name?.StartsWith("<>u__", StringComparison.Ordinal) == true))
        {
            int at = start + field.Offset;
            if (field.IsObjectReference)
            {
                yield return at;
            }
            else if (field.Type is { } awaiter && Reference(awaiter, at, 0) is { } reference)
            {
                yield return reference;
            }
        }
    }

    private static int? Reference(ClrType awaiter, int start, int depth)
    {
        ClrInstanceField? own = awaiter.Fields.FirstOrDefault(f => f.IsObjectReference && f.Name is "m_task" or "_obj")
            ?? awaiter.Fields.FirstOrDefault(f => f.IsObjectReference);
        return own is not null ? start + own.Offset
            : depth >= DeepestStruct ? null
            : awaiter.Fields.Where(f => f.ElementType == ClrElementType.Struct && f.Type is not null)
                .Select(f => Reference(f.Type!, start + f.Offset, depth + 1)).FirstOrDefault(r => r is not null);
    }

    private static string NameOf(string? machine) =>
        SafeText.Clean(machine is not null ? MethodNames.Of(machine, "MoveNext") : "an async method of unknown name", LongestName);

    /// <summary>The machine's type by that of the object that refers to it, which has none any more once the method has ended.</summary>
    private static string? MachineIn(string? type)
    {
        const string Box = "StateMachineBox<";
        int at = type?.IndexOf(Box, StringComparison.Ordinal) ?? -1;
        return at < 0 || !type!.EndsWith('>') ? type : type[(at + Box.Length)..^1];
    }

    private static int Offset(ClrType type, string name) => Within(type.GetFieldByName(name), MethodTableLayout.Fields);

    private static int Within(ClrInstanceField? field, int start) =>
        field is { Offset: >= 0 and < AsyncTypes.LargestObject - 64 } ? field.Offset + start : -1;
}
