using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Linux;

/// <summary>
/// A whole core of an ARM64 process made by hand: two threads stand at the system call of <c>pthread_mutex_lock</c>, each of which holds what the other wants.
/// From its registers to the names of its functions, without a byte of another one's code.
/// </summary>
public sealed class Arm64SnapshotTests : IDisposable
{
    private const ulong Library = 0xFFFF_8000_0000, Program = 0xAAAA_0000_0000, Data = 0xAAAA_0001_0000, Stacks = 0xFFFF_9000_0000;
    private const int Lock = 0x1000, Start = 0x1100, TakeSecond = 0x1000;
    private const int DescriptorSize = 1_856;
    private const uint Nothing = 0xD503_201F, SupervisorCall = 0xD400_0001, Call = 0x9400_0000;
    private static readonly byte[] s_libraryId = [1, 2, 3, 4], s_programId = [5, 6, 7, 8];

    // A frame of 32 bytes that begins with the record of X29 and X30; the first function of a thread has no caller.
    private static readonly byte[] s_frame = [0x0E, 0x20, 0x9D, 0x04, 0x9E, 0x03], s_first = [0x07, 0x1E];
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-arm64-core-").FullName;

    public Arm64SnapshotTests()
    {
        Symbols(s_libraryId, ("pthread_mutex_lock", Lock, 0x40), ("start_thread", Start, 0x40));
        Symbols(s_programId, ("take_second", TakeSecond, 0x40));
    }

    [Fact]
    public void Deadlock_is_read_from_registers_to_names()
    {
        ProcessSnapshot snapshot = Read(firstOwner: 200);
        Assert.Equal((ProcessorArchitecture.Arm64, "Linux arm64"), (snapshot.System.Architecture, snapshot.System.Text));
        Assert.Equal([(100u, Data + 0x40), (200u, Data)], snapshot.Waits.Select(w => (w.ThreadId, w.Resource.Identity)));
        Assert.All(snapshot.Waits, w => Assert.Equal((ResourceKind.PthreadMutex, WaitTimeout.Infinite, Grade.Proven), (w.Resource.Kind, w.Timeout, w.Grade)));
        Assert.Equal([(Data + 0x40, 200u), (Data, 100u)], snapshot.Ownerships.Select(o => (o.Resource.Identity, o.OwnerThreadId)));
        Assert.All(snapshot.Threads, t =>
        {
            Assert.Equal((ThreadActivityKind.Waiting, "futex"), (t.Activity.Kind, t.Activity.SystemCall));
            Assert.Equal("x8 = 98 (futex)", Assert.Single(t.Activity.Evidence).Text);
            Assert.Equal(StackEnd.Complete, t.Stack.End);
            Assert.Equal(["pthread_mutex_lock", "take_second", "start_thread"], t.Stack.Frames.Select(f => f.Function));
            Assert.Equal(["libc.so.6", "shop", "libc.so.6"], t.Stack.Frames.Select(f => f.Module));
        });
    }

    /// <summary>The word is still that of a lock with waiters, and nobody is its owner.</summary>
    [Fact]
    public void Mutex_without_an_owner_is_none() => Assert.Equal(200u, Assert.Single(Read(firstOwner: 0).Waits).ThreadId);

    /// <summary>Without the code at which its threads stand nobody knows in which call they are.</summary>
    [Fact]
    public void Without_the_library_nothing_is_said()
    {
        ProcessSnapshot snapshot = Read(firstOwner: 200, hasLibrary: false);
        Assert.Empty(snapshot.Waits);
        Assert.All(snapshot.Threads, t => Assert.Equal(ThreadActivityKind.Unknown, t.Activity.Kind));
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private void Symbols(byte[] id, params (string Name, ulong Address, ulong Size)[] functions)
    {
        string name = Convert.ToHexStringLower(id), folder = Path.Combine(_directory, ".build-id", name[..2]);
        Directory.CreateDirectory(folder);
        File.WriteAllBytes(Path.Combine(folder, name[2..]), FakeElf.DebugFile(id, functions));
    }

    private ProcessSnapshot Read(uint firstOwner, bool hasLibrary = true)
    {
        uint[] waits = [Nothing, SupervisorCall, Nothing, Nothing], calls = [Call, Nothing, Nothing, Nothing];
        byte[] library = FakeElf.Arm64Image(s_libraryId, (Lock, waits, s_frame), (Start, calls, s_first));
        byte[] program = FakeElf.Arm64Image(s_programId, (TakeSecond, calls, s_frame));
        byte[] data = new byte[0x80];
        Mutex(data, 0, 100);
        Mutex(data, 0x40, firstOwner);
        byte[] first = Stack(0), second = Stack(1);
        byte[] notes =
        [
            .. Thread(100, 0, Data + 0x40), .. Thread(200, 1, Data),
            .. FakeElfCore.Files((Program, Program + 0x2000, 0, "/app/shop"), (Library, Library + 0x2000, 0, "/lib/libc.so.6")),
        ];
        string path = Path.Combine(_directory, "core");
        File.WriteAllBytes(path, FakeElfCore.Of(183, notes,
            (Program, program, 0x2000), (Data, data, (ulong)data.Length), (Library, hasLibrary ? library : [], 0x2000),
            (StackOf(0), first, (ulong)first.Length), (StackOf(1), second, (ulong)second.Length)));
        using ElfCoreFile core = ElfCoreFile.Open(path);
        return LinuxSnapshotReader.Read(core, "core", imageDirectories: [_directory]);
    }

    private static ulong StackOf(int thread) => Stacks + ((ulong)thread * 0x10_0000);

    /// <summary>Two frames, and behind them the thread's descriptor, which ends where the thread's pointer leads.</summary>
    private static byte[] Stack(int thread)
    {
        byte[] stack = new byte[0x100 + DescriptorSize];
        ulong at = StackOf(thread), id = at + 0x100 + 208;
        Put(stack, 0, at + 0x20, Program + TakeSecond + 4, 0, 0, at + 0x40, Library + Start + 4);
        Put(stack, 0x100 + 208, thread == 0 ? 100ul : 200, id + 16, id + 16, unchecked((ulong)-32));
        return stack;
    }

    private static byte[] Thread(uint id, int index, ulong wanted) =>
    [
        .. FakeElfCore.Arm64Thread(id, (0, wanted), (1, 128), (2, 2), (8, 98), (29, StackOf(index)), (31, StackOf(index)), (32, Library + Lock + 4)),
        .. FakeElfCore.Note(0x401, FakeElfCore.Words(StackOf(index) + 0x100 + DescriptorSize), "LINUX"),
    ];

    private static void Mutex(byte[] data, int at, uint owner) => Put(data, at, 2, owner | (1ul << 32));

    private static void Put(byte[] bytes, int at, params ulong[] words) => FakeElfCore.Words(words).CopyTo(bytes, at);
}
