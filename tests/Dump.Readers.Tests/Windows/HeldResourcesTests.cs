using System.Buffers.Binary;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Readers.Windows.Locks;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Windows;

/// <summary>Owners of the loader lock and of all locked critical sections that the system's list leads to, each once.</summary>
public sealed class HeldResourcesTests
{
    private const uint A = 0x1A0;
    private const uint B = 0x1B4;
    private const int Sections = 0x200;
    private const int Blocks = 0x400;
    private const int Step = 0x40;

    [Fact]
    public void Locked_sections_of_the_list_are_found_through_the_loader_lock()
    {
        ProcessSnapshot snapshot = Read([A, 0, B, A], damage: null);
        FakeImage ntdll = Ntdll();
        Assert.Equal(
            [
                (new Resource(ResourceKind.LoaderLock, ntdll.Data + Sections), A),
                (new Resource(ResourceKind.CriticalSection, ntdll.Data + Sections + 2 * Step), B),
                (new Resource(ResourceKind.CriticalSection, ntdll.Data + Sections + 3 * Step), A),
            ],
            snapshot.Ownerships.Select(o => (o.Resource, o.OwnerThreadId)));
        Assert.All(snapshot.Ownerships, o => Assert.Equal(Grade.Proven, o.Grade));
        Assert.Empty(snapshot.Problems);
    }

    [Fact]
    public void An_owner_that_is_no_thread_is_kept_and_marked()
    {
        ProcessSnapshot snapshot = Read([0, 0x9990], damage: null);
        OwnershipFact ownership = Assert.Single(snapshot.Ownerships);
        Assert.Equal((0x9990u, false), (ownership.OwnerThreadId, ownership.OwnerIsAlive));
    }

    [Fact]
    public void A_damaged_list_gives_what_stands_before_the_damage()
    {
        // The third block's backward link leads to the first.
        ProcessSnapshot snapshot = Read([A, B, B, B], data => BinaryPrimitives.WriteUInt64LittleEndian(data[(Blocks + 2 * Step + 0x18)..], Ntdll().Data + Blocks
            + 0x10));
        Assert.Equal(2, snapshot.Ownerships.Length);
        Assert.Contains(snapshot.Problems, p => p.Message.Contains("damaged", StringComparison.Ordinal));
    }

    private static FakeImage Ntdll() => new(@"C:\Windows\System32\ntdll.dll", 0x7FFE00000000);

    private delegate void Damage(Span<byte> data);

    /// <summary>A process whose loader lock is the first of a ring of sections with these owners.</summary>
    private static ProcessSnapshot Read(uint[] owners, Damage? damage)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage ntdll = Ntdll();
        for (int i = 0; i < owners.Length; i++)
        {
            FakeProcess.Section(ntdll, Sections + i * Step, owners[i], 0);
            Span<byte> data = ntdll.DataBytes;
            Write(data, Sections + i * Step, Block(i));
            Write(data, Blocks + i * Step + 8, ntdll.Data + (ulong)(Sections + i * Step));
            Write(data, Blocks + i * Step + 0x10, Block((i + 1) % owners.Length) + 0x10);
            Write(data, Blocks + i * Step + 0x18, Block((i + owners.Length - 1) % owners.Length) + 0x10);
        }

        damage?.Invoke(ntdll.DataBytes);
        FakeFunction work = app.Function("work", exported: false);
        FakeFunction wait = ntdll.Stub("NtDelayExecution");
        FakeProcess process = new()
        {
            Images = { app, ntdll },
            LoaderLock = ntdll.Data + Sections,
            Threads = { new FakeThread(A, [wait, work]), new FakeThread(B, [wait, work]) },
        };
        using MinidumpFile dump = MinidumpFile.FromBytes(process.ToMinidump());
        return WindowsSnapshotReader.Read(dump, "held");

        ulong Block(int index) => ntdll.Data + (ulong)(Blocks + index * Step);
    }

    private static void Write(Span<byte> data, int offset, ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(data[offset..], value);
}
