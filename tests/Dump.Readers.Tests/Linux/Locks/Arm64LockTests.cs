using Dump.Model.Facts;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;
using Dump.Readers.Tests.Unwinding;

namespace Dump.Readers.Tests.Linux.Locks;

/// <summary>
/// Locks of glibc on ARM64 as bytes: descriptors end where the thread's pointer leads, and their size is found. The real ones are in the verdicts on cores of
/// <c>lab/arm64.sh</c>.
/// </summary>
public sealed class Arm64LockTests
{
    private const ulong Mutex = 0xAAAA_0000_0040;
    private const ulong FirstPointer = 0xFFFF_8000_0740;
    private const ulong SecondPointer = 0xFFFF_9000_0740;
    private const int Size = 1_856;
    private const uint First = 100, Second = 200;
    private readonly SparseMemory _memory = new();

    [Theory]
    [InlineData(Size)]
    [InlineData(1_776)]
    public void Mutex_names_its_owner_whatever_size_descriptors_have(int size)
    {
        Describe(FirstPointer, First, size);
        Describe(SecondPointer, Second, size);
        HeldMutex();
        NativeLockFacts facts = Read(98, Mutex, 128, 2);
        Assert.Equal((First, new Resource(ResourceKind.PthreadMutex, Mutex)), (Assert.Single(facts.Waits).ThreadId, facts.Waits[0].Resource));
        Assert.Equal("futex wait without a time limit (x0, x1, x3 = 0)", facts.Waits[0].Evidence[0].Text);
        Assert.Equal((Second, true), (Assert.Single(facts.Ownerships).OwnerThreadId, facts.Ownerships[0].OwnerIsAlive));
    }

    [Fact]
    public void Thread_that_is_joined_is_known_by_the_id_in_its_descriptor()
    {
        Describe(FirstPointer, First, Size);
        Describe(SecondPointer, Second, Size);
        NativeLockFacts facts = Read(98, SecondPointer - Size + 208, 265, Second);
        Assert.Equal(new Resource(ResourceKind.Thread, Second), Assert.Single(facts.Waits).Resource);
        Assert.Equal(Second, Assert.Single(facts.Ownerships).OwnerThreadId);
    }

    /// <summary>One thread without a descriptor: no size is common to all, so that nothing is said.</summary>
    [Fact]
    public void Without_a_size_that_fits_all_threads_there_is_no_lock()
    {
        Describe(FirstPointer, First, Size);
        HeldMutex();
        Assert.Empty(Read(98, Mutex, 128, 2).Waits);
    }

    /// <summary>Two sizes by which all threads have what looks like an id.</summary>
    [Fact]
    public void Size_that_is_not_the_only_one_is_none()
    {
        foreach (int size in (int[])[Size, 1_776])
        {
            Describe(FirstPointer, First, size);
            Describe(SecondPointer, Second, size);
        }

        HeldMutex();
        Assert.Empty(Read(98, Mutex, 128, 2).Waits);
    }

    /// <summary>The number of the futex call on x64, and a thread that executes code.</summary>
    [Theory]
    [InlineData(202)]
    [InlineData(-1)]
    [InlineData(null)]
    public void Thread_in_no_futex_call_waits_for_no_lock(int? call)
    {
        Describe(FirstPointer, First, Size);
        Describe(SecondPointer, Second, Size);
        HeldMutex();
        Assert.Empty(Read(call, Mutex, 128, 2).Waits);
    }

    private void HeldMutex()
    {
        byte[] bytes = new byte[48];
        (bytes[0], bytes[8], bytes[12]) = (2, (byte)Second, 1);
        _memory.Write(Mutex, bytes);
    }

    private void Describe(ulong pointer, uint id, int size)
    {
        ulong at = pointer - (ulong)size + 208;
        _memory.Write(at, BitConverter.GetBytes(id)).Slot(at + 8, at + 16).Slot(at + 16, at + 16).Slot(at + 24, unchecked((ulong)-32));
    }

    private NativeLockFacts Read(int? call, ulong word, uint operation, uint expected) => new NativeLocks(
        _memory, [Thread(First, 0, FirstPointer, call, word, operation, expected), Thread(Second, 1, SecondPointer, 73, 0, 0, 0)], []).Read();

    private static ElfThread Thread(uint id, int index, ulong pointer, int? call, ulong word, uint operation, uint expected)
    {
        ulong[] registers = new ulong[34];
        (registers[0], registers[1], registers[2]) = (word, operation, expected);
        return new ElfThread(id, index, TimeSpan.Zero, TimeSpan.Zero, registers)
        {
            Machine = LinuxMachine.Arm64, NotedThreadPointer = pointer, Call = call is { } number ? new EnteredCall(number, false) : null,
        };
    }
}
