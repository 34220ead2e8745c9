using System.Buffers.Binary;
using Dump.Model.Waits;
using Dump.Readers.Linux.Locks;
using Dump.Readers.Linux.Waits;
using Dump.Readers.Tests.Unwinding;

namespace Dump.Readers.Tests.Linux.Waits;

/// <summary>Waits for any of several words (futex_waitv), and the files for which a thread waits, as bytes written by hand after the system's manual.</summary>
public sealed class SeveralWordsTests
{
    private const ulong Array = 0x4000;
    private const ulong Mutex = 0x5000;
    private const ulong Word = 0x6000;
    private const uint Private32 = 2 + 128;
    private readonly SparseMemory _memory = new();

    [Fact]
    public void Each_word_is_one_wait_that_another_may_end()
    {
        Entries((2, Mutex, Private32), (7, Word, Private32));
        FutexWait[] waits = FutexWait.All(_memory, MallocArenaTests.Thread(449, Array, 2, 0));
        Assert.Equal([Mutex, Word], waits.Select(w => w.Word));
        Assert.All(waits, w => Assert.Equal((true, true, WaitTimeout.Infinite), (w.IsAnyOfSeveral, w.IsPrivate, w.Timeout)));
        Assert.Equal([2u, 7u], waits.Select(w => w.Expected));
    }

    [Fact]
    public void Single_word_is_a_wait_of_its_own()
    {
        Entries((2, Mutex, 2));
        FutexWait wait = Assert.Single(FutexWait.All(_memory, MallocArenaTests.Thread(449, Array, 1, 0, fourth: 0x9000)));
        Assert.Equal((false, false, WaitTimeout.Finite), (wait.IsAnyOfSeveral, wait.IsPrivate, wait.Timeout));
    }

    /// <summary>None, more than the system takes, memory that is not there.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(129)]
    [InlineData(ulong.MaxValue)]
    [InlineData(3)]
    public void Count_that_cannot_be_is_no_wait(ulong count)
    {
        Entries((2, Mutex, Private32), (7, Word, Private32));
        Assert.Empty(FutexWait.All(_memory, MallocArenaTests.Thread(449, Array, count, 0)));
    }

    /// <summary>A word of another size, none, and one that is not aligned are passed over.</summary>
    [Theory]
    [InlineData(Word, 3 + 128u)]
    [InlineData(0, Private32)]
    [InlineData(Word + 1, Private32)]
    public void Word_that_cannot_be_is_passed_over(ulong address, uint flags)
    {
        Entries((2, Mutex, Private32), (7, address, flags));
        Assert.Equal([Mutex], FutexWait.All(_memory, MallocArenaTests.Thread(449, Array, 2, 0)).Select(w => w.Word));
    }

    /// <summary>A call of poll with two files and one that is passed over, one of select, a set of epoll, and what cannot be read.</summary>
    [Fact]
    public void Files_of_a_wait_are_those_of_its_call()
    {
        byte[] polled = new byte[24];
        BinaryPrimitives.WriteInt32LittleEndian(polled, 5);
        BinaryPrimitives.WriteInt32LittleEndian(polled.AsSpan(8), -1);
        BinaryPrimitives.WriteInt32LittleEndian(polled.AsSpan(16), 9);
        _memory.Write(Array, polled).Write(Mutex, [0b1000_0010, 0x01, 0, 0, 0, 0, 0, 0]);
        Assert.Equal([5, 9], WatchedFiles.Of(_memory, MallocArenaTests.Thread(7, Array, 3, 0), null)!.Descriptors.AsEnumerable());
        Assert.Equal([5, 9], WatchedFiles.Of(_memory, MallocArenaTests.Thread(219, Array, 3, 0), "poll")!.Descriptors.AsEnumerable());
        Assert.Null(WatchedFiles.Of(_memory, MallocArenaTests.Thread(219, Array, 3, 0), "nanosleep"));
        Assert.Equal([1, 7, 8], WatchedFiles.Of(_memory, MallocArenaTests.Thread(23, 9, Mutex, 0), null)!.Descriptors.AsEnumerable());
        Assert.Equal([1, 7], WatchedFiles.Of(_memory, MallocArenaTests.Thread(23, 8, Mutex, 0), null)!.Descriptors.AsEnumerable());
        Assert.Equal(4u, WatchedFiles.Of(_memory, MallocArenaTests.Thread(232, 4, Array, 1), null)!.EventSet);
        Assert.Null(WatchedFiles.Of(_memory, MallocArenaTests.Thread(7, Array, 4_097, 0), null));
        Assert.Null(WatchedFiles.Of(_memory, MallocArenaTests.Thread(7, 0x100, 1, 0), null));
        Assert.Null(WatchedFiles.Of(_memory, MallocArenaTests.Thread(23, ulong.MaxValue, Mutex, 0), null));
        Assert.Null(WatchedFiles.Of(_memory, MallocArenaTests.Thread(0, Array, 3, 0), null));
    }

    private void Entries(params (ulong Value, ulong Address, uint Flags)[] entries)
    {
        byte[] bytes = new byte[entries.Length * 24];
        for (int i = 0; i < entries.Length; i++)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(i * 24), entries[i].Value);
            BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan((i * 24) + 8), entries[i].Address);
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan((i * 24) + 16), entries[i].Flags);
        }

        _memory.Write(Array, bytes);
    }
}
