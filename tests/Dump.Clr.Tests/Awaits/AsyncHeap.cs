using System.Buffers.Binary;
using Dump.Clr.Awaits;
using Dump.Clr.Heap;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Waits;
using Dump.Readers;

namespace Dump.Clr.Tests.Awaits;

/// <summary>
/// A heap of tasks made by hand: one segment, objects of eight words each behind the other. Words: method table, flags, continuation, state or delegate,
/// awaiter or next waiter, count.
/// </summary>
internal sealed class AsyncHeap : IMemory, IAsyncTypes, IRootReferences
{
    public const ulong Start = 0x10_0000;
    private const ulong TypeStart = 0x1000;
    private const int WordsEach = 8;
    private const int Size = WordsEach * 8;
    private const int SuspendedWord = 7;
    private readonly List<AsyncType> _types = [];
    private readonly List<ulong[]> _objects = [];

    /// <summary>References from outside of the heap.</summary>
    public List<ulong> Roots { get; } = [];

    /// <summary>Threads by the method that they run.</summary>
    public Dictionary<ulong, uint> Running { get; } = [];

    /// <summary>What the async methods made of are known as, by name: those that are made after it is set.</summary>
    public Dictionary<string, MethodPlace> Codes { get; } = [];

    /// <summary>Semaphores by the calls that stand between their wait and their release.</summary>
    public List<(ulong Call, ulong Semaphore)> Held { get; } = [];

    /// <summary>Objects that a dump does not have.</summary>
    public HashSet<ulong> Absent { get; } = [];

    public ulong FreeMethodTable => 0x8;

    /// <summary>Where the next object will be.</summary>
    public ulong Next => Start + (ulong)(_objects.Count * Size);

    /// <summary>A pending async method.</summary>
    public ulong Method(string name, ulong awaited, int state = 0, ulong continuation = 0)
    {
        ulong address = Next;
        if (awaited >= Start && (awaited - Start) / Size < (ulong)_objects.Count && _objects[(int)((awaited - Start) / Size)][2] == 0)
        {
            // As the runtime does: what is awaited knows who awaits it.
            _objects[(int)((awaited - Start) / Size)][2] = address;
        }

        return Add(TypeOf(AsyncTypeKind.Method, name), 0, continuation, (uint)state, awaited);
    }

    /// <summary>Methods of suspended calls by the addresses of their awaits.</summary>
    private readonly Dictionary<ulong, string> _suspended = [];

    /// <summary>The task of a method that the runtime suspends, with its calls, the innermost first; without any it runs.</summary>
    public ulong Suspended(ulong awaited, params (string Method, int State)[] calls)
    {
        ulong task = Add(TypeOf(AsyncTypeKind.Task, "async method"), 0);
        ulong next = 0;
        foreach ((string method, int state) in calls.Reverse())
        {
            ulong code = 0xCA11_0000 + (ulong)_suspended.Count;
            _suspended.Add(code, method);
            ulong info = Other("ResumeInfo", code);
            next = Other("Continuation", next, info, (ulong)state << 32);
        }

        if (awaited != 0)
        {
            next = Add(TypeOf(AsyncTypeKind.Continuation, "RuntimeAsyncTaskContinuation"), next, 0, task, awaited);
            Set(awaited, 2, next);
        }

        Set(task, SuspendedWord, next);
        return task;
    }

    /// <summary>The first of a suspended task's calls.</summary>
    public ulong FirstCall(ulong task) => _objects[(int)((task - Start) / Size)][SuspendedWord];

    public (AsyncType Method, int State)? OfSuspended(ReadOnlySpan<(ulong Address, int State)> calls)
    {
        List<AwaitStepName> steps = [];
        foreach ((ulong address, int state) in calls)
        {
            if (_suspended.TryGetValue(address, out string? name))
            {
                steps.Add(new AwaitStepName(name, state));
            }
        }

        return steps is [var innermost, ..]
            ? (new AsyncType(AsyncTypeKind.Method, innermost.Text, 0) { Calls = [.. steps] }, innermost.State ?? 0)
            : null;
    }

    /// <summary>A task without a state machine.</summary>
    public ulong Task(string name, int flags = 0, ulong continuation = 0, ulong code = 0, ulong link = 0) =>
        Add(TypeOf(AsyncTypeKind.Task, name), (uint)flags, continuation, code, link);

    /// <summary>A semaphore.</summary>
    public ulong Semaphore(int count, ulong first, int blocked = 0) => Add(TypeOf(AsyncTypeKind.Semaphore, "SemaphoreSlim"), 0, 0, 0, first, (uint)count,
        (uint)blocked);

    /// <summary>A list of continuations with its items behind it.</summary>
    public ulong List(int size, params ulong[] items)
    {
        ulong list = Add(TypeOf(AsyncTypeKind.ContinuationList, "List"), 0, 0, 0, Next + Size, (uint)size);
        _objects.Add([TypeOf(AsyncTypeKind.Other, "Object[]"), (ulong)items.Length, .. items, .. new ulong[6 - items.Length]]);
        return list;
    }

    /// <summary>Anything else, with references.</summary>
    public ulong Other(string name, params ulong[] references) => Add(TypeOf(AsyncTypeKind.Other, name), references);

    /// <summary>The same in a role of its own.</summary>
    public ulong Other(ReferenceRole role, params ulong[] references) => Add(TypeOf(AsyncTypeKind.Other, role.ToString(), role: role), references);

    /// <summary>An object of the runtime's namespace for threads, with references.</summary>
    public ulong Threading(string name, params ulong[] references) => Add(TypeOf(AsyncTypeKind.Other, name, isOfThreading: true), references);

    /// <summary>
    /// A list of many continuations, with its items in several objects behind it: the first word of each, which is a method table, counts as an item that
    /// leads nowhere.
    /// </summary>
    public ulong LongList(params ulong[] items)
    {
        ulong table = TypeOf(AsyncTypeKind.Other, "Object[]");
        ulong[][] parts = [items[..Math.Min(6, items.Length)], .. items.Skip(6).Chunk(WordsEach - 1)];
        ulong length = (ulong)(items.Length + parts.Length - 1);
        ulong list = Add(TypeOf(AsyncTypeKind.ContinuationList, "List"), 0, 0, 0, Next + Size, (uint)length);
        Add(table, [length, .. parts[0]]);
        foreach (ulong[] part in parts.Skip(1))
        {
            Add(table, part);
        }

        return list;
    }

    /// <summary>A delegate.</summary>
    public ulong Delegate(ulong target) => Add(TypeOf(AsyncTypeKind.Callback, "Action"), 0, 0, target);

    /// <summary>What completes a task.</summary>
    public ulong Source(ulong task) => Add(TypeOf(AsyncTypeKind.CompletionSource, "TaskCompletionSource"), 0, 0, 0, task);

    /// <summary>The queue of a worker of the thread pool, with its array.</summary>
    public ulong Queue(params ulong[] items)
    {
        ulong array = Other("Object[]", items);
        return Add(TypeOf(AsyncTypeKind.WorkQueue, "WorkStealingQueue"), 0, 0, 0, array);
    }

    /// <summary>Changes a word of an object.</summary>
    public void Set(ulong address, int word, ulong value) => _objects[(int)((address - Start) / Size)][word] = value;

    public AsyncForest Scan(params (uint, ulong)[] blocked) =>
        new AsyncForestScan(this, [new HeapSegment(Start, Next, [])], this).Scan(blocked, Running, () => Roots, null, CancellationToken.None);

    public AsyncWaits? Look(params (uint Thread, ulong Task)[] blocked) => Look([.. blocked.Select(b => Wait(b.Thread, ResourceKind.ManagedTask, b.Task))]);

    public AsyncWaits? Look(WaitFact[] waits, int? mostTasks = null, (Resource Resource, uint Thread)[]? owners = null) =>
        AsyncWaitsReader.Look(this, [new HeapSegment(Start, Next, [])], this, waits, this, new Dictionary<ulong, uint>(), CancellationToken.None, mostTasks,
            owners?.ToLookup(o => o.Resource, o => o.Thread));

    /// <summary>A thread's wait.</summary>
    public static WaitFact Wait(uint thread, ResourceKind kind, ulong target, WaitTimeout timeout = WaitTimeout.Infinite) =>
        new(thread, new Resource(kind, target), timeout, Grade.Proven, [new Evidence(EvidenceSource.Rule, "by hand")]);

    /// <summary>References of stacks, by thread; 0 for handles.</summary>
    public List<(uint Thread, ulong Target)> Stacks { get; } = [];

    /// <summary>The same that only the runtime tells.</summary>
    public List<(uint Thread, ulong Target)> Registers { get; } = [];

    /// <summary>What handles refer to; those of other kinds are made by hand.</summary>
    public HandleReferences Handles { get; set; } = new([], new Dictionary<ulong, ulong>(), Enumerable.Empty<ulong>().ToLookup(a => a), new HashSet<ulong>());

    /// <summary>False where the roots of a thread are not known.</summary>
    public bool AreKnown { get; set; } = true;

    IEnumerable<ulong> IRootReferences.Held(HashSet<uint> without) => Words(without).Concat(Exact(without));

    public IEnumerable<ulong> Words(IReadOnlySet<uint> without) => Stacks.Where(s => !without.Contains(s.Thread)).Select(s => s.Target);

    public IEnumerable<ulong> Exact(IReadOnlySet<uint> without) => Registers.Where(s => !without.Contains(s.Thread)).Select(s => s.Target);

    public IEnumerable<(uint Thread, ulong Object)> Having(IReadOnlySet<ulong> objects, IReadOnlySet<uint> without) =>
        Registers.Where(s => !without.Contains(s.Thread) && objects.Contains(s.Target));

    public bool? TakesTurns(MethodPlace? code) => AreCodesKnown ? true : null;

    /// <summary>False where no code of methods can be read.</summary>
    public bool AreCodesKnown { get; set; } = true;

    public IReadOnlyCollection<ulong> HeldBy(AsyncNode call) => [.. Held.Where(h => h.Call == call.Address).Select(h => h.Semaphore)];

    public AsyncType? Find(ulong methodTable) =>
        methodTable >= TypeStart && methodTable % 8 == 0 && (methodTable - TypeStart) / 8 < (ulong)_types.Count ? _types[(int)((methodTable - TypeStart) / 8)]
            : null;

    public bool TryResolve(ulong methodTable, out object? tag)
    {
        AsyncType? type = Find(methodTable);
        tag = type is { IsCollected: true } ? type : null;
        return type is not null;
    }

    public string? MethodOf(ulong callback) => callback == 0xC0DE ? "App.Work" : null;

    public bool IsUnobserved(ulong contingent, out string? exception)
    {
        exception = contingent == 1 ? "System.TimeoutException" : null;
        return contingent is 1 or 2;
    }

    public int Read(ulong address, Span<byte> destination)
    {
        if (address < Start)
        {
            Span<byte> head = stackalloc byte[8];
            BinaryPrimitives.WriteUInt32LittleEndian(head[4..], Size);
            head[..Math.Min(8, destination.Length)].CopyTo(destination);
            return Find(address) is null ? 0 : Math.Min(8, destination.Length);
        }

        int done = 0;
        Span<byte> word = stackalloc byte[8];
        for (ulong at = address; done < destination.Length && at + 8 <= Next; at += 8, done += 8)
        {
            ulong start = at - ((at - Start) % Size);
            if (Absent.Contains(start) && at != start)
            {
                return Math.Min(done, destination.Length);
            }

            BinaryPrimitives.WriteUInt64LittleEndian(word, _objects[(int)((at - Start) / Size)][(at - Start) % Size / 8]);
            word[..Math.Min(8, destination.Length - done)].CopyTo(destination[done..]);
        }

        return Math.Min(done, destination.Length);
    }

    private ulong Add(ulong methodTable, params ReadOnlySpan<ulong> words)
    {
        ulong address = Next;
        _objects.Add([methodTable, .. words, .. new ulong[WordsEach - 1 - words.Length]]);
        return address;
    }

    private ulong TypeOf(AsyncTypeKind kind, string name, bool isOfThreading = false, ReferenceRole role = ReferenceRole.Object)
    {
        int index = _types.FindIndex(t => t.Kind == kind && t.Name == name && t.IsOfThreading == isOfThreading && t.Role == role);
        if (index < 0)
        {
            index = _types.Count;
            _types.Add(new AsyncType(kind, name, Size)
            {
                Flags = 8,
                Continuation = 16,
                State = kind == AsyncTypeKind.Method ? 24 : -1,
                Awaiters = kind == AsyncTypeKind.Method ? [32] : [],
                Callback = name != "async method" && kind is AsyncTypeKind.Task or AsyncTypeKind.Callback or AsyncTypeKind.Continuation ? 24 : -1,
                Suspended = name == "async method" ? SuspendedWord * 8 : -1,
                IsPlain = name == "TaskCompletionSource",
                AwaitsAll = name == "Task.WhenAll",
                IsOfThreading = isOfThreading,
                Role = role,
                Contingent = 40,
                Link = 32,
                Count = 40,
                Blocked = kind == AsyncTypeKind.Semaphore ? 48 : -1,
                Handle = kind == AsyncTypeKind.Semaphore || name == "Task.Delay" ? 56 : -1,
                Code = kind == AsyncTypeKind.Method ? Codes.GetValueOrDefault(name) : null,
            });
        }

        return TypeStart + ((ulong)index * 8);
    }
}
