using Dump.Clr.Frames;
using Dump.Model.Managed;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Tasks;

/// <summary>The calls of a task whose method the runtime has suspended (<see cref="RuntimeAsyncLayout"/>).</summary>
/// <param name="Methods">Methods with the addresses of their awaits and the awaits' numbers, innermost first.</param>
/// <param name="Awaited">The task that the innermost awaits; no object where it awaits none.</param>
internal sealed record SuspendedCalls(IReadOnlyList<(ClrMethod Method, ulong Address, int State)> Methods, ClrObject Awaited)
{
    /// <summary>True for the task of a method that the runtime suspends.</summary>
    public static bool IsTask(ClrObject task) => task.Type?.Name?.StartsWith(RuntimeAsyncLayout.Task, StringComparison.Ordinal) == true;

    /// <summary>Contexts in which calls are to go on, innermost first; none of those that go on anywhere.</summary>
    public IReadOnlyList<ulong> Contexts { get; init; } = [];

    /// <summary>The calls of a task; null for other tasks, and for one that runs.</summary>
    public static SuspendedCalls? Of(ClrObject task)
    {
        if (!IsTask(task) || !task.TryReadObjectField("m_stateObject", out ClrObject first) || first is not { IsNull: false, IsValid: true })
        {
            return null;
        }

        ClrObject awaited = default;
        ulong at = first.Address;
        IDataReader memory = task.Type!.Heap.Runtime.DataTarget.DataReader;
        if (first.Type?.Name == RuntimeAsyncLayout.TaskContinuation)
        {
            _ = first.TryReadObjectField("Task", out awaited);
            at = memory.ReadPointer(at + RuntimeAsyncLayout.Next);
        }

        List<(ClrMethod, ulong, int)> methods = [];
        List<ulong> contexts = [];
        for (int i = 0; i < RuntimeAsyncLayout.MostCalls && at != 0; i++, at = memory.ReadPointer(at + RuntimeAsyncLayout.Next))
        {
            if (memory.Read(at + RuntimeAsyncLayout.Flags, out int flags) && (flags & RuntimeAsyncLayout.InContext) != 0)
            {
                contexts.AddRange(task.Type.Heap.GetObject(at).EnumerateReferences(carefully: true)
                    .Where(o => o.Type is { } type && TaskTypes.DerivesFrom(type, "System.Threading.SynchronizationContext")).Select(o => o.Address).Take(1));
            }

            ulong address = memory.ReadPointer(memory.ReadPointer(at + RuntimeAsyncLayout.ResumeInfo) + RuntimeAsyncLayout.DiagnosticAddress);
            if (address != 0 && memory.Read(at + RuntimeAsyncLayout.State, out int state)
                && task.Type.Heap.Runtime.GetMethodByInstructionPointer(address) is { } method)
            {
                methods.Add((method, address, state));
            }
        }

        return methods.Count == 0 ? null : new SuspendedCalls(methods, awaited) { Contexts = contexts };
    }

    /// <summary>The calls as steps of a chain, the outermost first.</summary>
    /// <param name="task">The task.</param>
    /// <param name="state">Where it stands.</param>
    /// <param name="places">Knows the methods' places in the code.</param>
    public IEnumerable<AwaitStep> Steps(ClrObject task, TaskState state, ManagedPlaces places) => Methods.Reverse()
        .Select(m => new AwaitStep(task.Address, NameOf(m.Method), state)
        {
            Place = places.Of(m.Method, m.Address) is { } code ? new AwaitPlace(code, m.State) : null,
        });

    /// <summary>The method that the task stands for: the outermost.</summary>
    public string Name => NameOf(Methods[^1].Method);

    private static string NameOf(ClrMethod method) => MethodNames.Of(method) ?? "an unknown method";
}
