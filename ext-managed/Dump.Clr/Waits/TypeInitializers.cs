using System.Buffers.Binary;
using Dump.Clr.Frames;
using Dump.Model.Facts;
using Dump.Model.Waits;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Waits;

/// <summary>
/// Class constructors that run, and the threads that wait for one. The runtime keeps the list of them in native memory, so the wait is derived: the thread
/// blocks inside of the runtime's class initialisation and the method table of a type, whose constructor another thread runs, stands in its native frames. From
/// .NET 10 on the initialisation is managed code with frames of its own; before, nothing but the native frames shows it, and the wait is only suspected.
/// </summary>
internal sealed class TypeInitializers
{
    private const int MostStackBytes = 0x1_0000;
    private const string Constructor = ".cctor";
    private readonly Dictionary<ulong, (ManagedThread Thread, ClrType Type)> _running = [];
    private readonly IDataReader _memory;

    public TypeInitializers(IDataReader memory, IEnumerable<ManagedThread> threads)
    {
        _memory = memory;
        foreach (ManagedThread thread in threads)
        {
            foreach (ManagedFrame frame in thread.Code.Where(f => f.MethodName == Constructor))
            {
                if (frame.Method?.Type is { } type)
                {
                    _running.TryAdd(type.MethodTable, (thread, type));
                }
            }
        }
    }

    /// <summary>What a thread waits for, when it waits for a class constructor.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="wait">The wait by its frames, or null when they show none.</param>
    /// <param name="stackPointer">Its stack pointer in the kernel, or null when unknown.</param>
    public WaitTarget[] Find(ManagedThread thread, WaitCall? wait, ulong? stackPointer)
    {
        ulong? outer = wait is null ? thread.Code.Select(f => (ulong?)f.StackPointer).FirstOrDefault()
            : thread.Code.Select(f => (ulong?)f.StackPointer).FirstOrDefault(sp => sp > wait.Run[^1].StackPointer);
        if (_running.Count == 0 || stackPointer is not { } from || outer is not { } to || to <= from || to - from > MostStackBytes)
        {
            return [];
        }

        HashSet<ulong> words = Words(from, (int)(to - from));
        ulong[] found = [.. _running.Where(r => r.Value.Thread != thread && words.Contains(r.Key)).Select(r => r.Key)];
        return found is not [var only] ? [] :
        [
            new WaitTarget(
                new Resource(ResourceKind.TypeInitializer, only),
                TypeNames.Of(_running[only].Type),
                wait is null ? Grade.Suspected : Grade.Derived,
                new Evidence(
                    EvidenceSource.Memory,
                    "method table in the thread's native frames, of the only type there whose class constructor another thread runs", only)),
        ];
    }

    /// <summary>The thread that runs a class constructor.</summary>
    public IEnumerable<OwnershipFact> OwnersOf(Resource resource) =>
        resource.Kind == ResourceKind.TypeInitializer && _running.TryGetValue(resource.Identity, out var run)
        ? [new OwnershipFact(resource, run.Thread.Id, true, null, Grade.Proven,
            [new Evidence(EvidenceSource.Stack, $"{TypeNames.Of(run.Type)}..cctor on its stack", resource.Identity)])]
        : [];

    private HashSet<ulong> Words(ulong from, int size)
    {
        byte[] bytes = new byte[size];
        int read = _memory.Read(from, bytes);
        HashSet<ulong> words = [];
        for (int i = 0; i + sizeof(ulong) <= read; i += sizeof(ulong))
        {
            words.Add(BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(i)));
        }

        return words;
    }
}
