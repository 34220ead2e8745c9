using System.Buffers.Binary;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;
using Dump.Readers.Linux.Waits;
using Dump.Readers.Tests.Unwinding;

namespace Dump.Readers.Tests.Linux.Waits;

/// <summary>
/// Arenas of malloc as bytes written by hand after glibc's source: a ring of them, and near misses. The real ones are in the reports on living programs.
/// </summary>
public sealed class MallocArenaTests
{
    private const ulong First = 0x5000;
    private const ulong Second = 0x8000;
    private readonly SparseMemory _memory = new();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Arena_is_known_by_the_ring_of_all(int count)
    {
        Ring(count);
        Assert.Equal(count, MallocArena.Of(_memory, Wait(First))!.Arenas);
    }

    /// <summary>
    /// Offset and value that no arena has for which a thread waits: free, no next, a next that is none, no top, an odd bin, more given than ever.
    /// </summary>
    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 1)]
    [InlineData(0x870, 0)]
    [InlineData(0x870, 0x5008)]
    [InlineData(0x870, 0xF000)]
    [InlineData(0x60, 0)]
    [InlineData(0x70, 0x5068)]
    [InlineData(0x888, 0x40000)]
    public void Words_that_only_look_like_an_arena_are_none(int offset, ulong value)
    {
        Ring(2);
        _memory.Slot(First + (ulong)offset, value);
        Assert.Null(MallocArena.Of(_memory, Wait(First)));
    }

    /// <summary>A ring that never comes back, and one that is cut off.</summary>
    [Fact]
    public void Ring_that_does_not_lead_back_is_none()
    {
        Ring(2);
        _memory.Slot(Second + 0x870, Second);
        Assert.Null(MallocArena.Of(_memory, Wait(First)));
        Assert.Null(MallocArena.Of(new SparseMemory(), Wait(First)));
    }

    [Theory]
    [InlineData(0u, 2u)]
    [InlineData(128u, 1u)]
    [InlineData(128u + 6u, 2u)]
    public void Wait_of_another_kind_is_for_none(uint operation, uint expected)
    {
        Ring(1);
        Assert.Null(FutexWait.Of(Thread(202, First, operation, expected)) is { } wait ? MallocArena.Of(_memory, wait) : null);
    }

    private void Ring(int count)
    {
        ulong[] arenas = [.. new[] { First, Second }.Take(count)];
        for (int i = 0; i < count; i++)
        {
            byte[] bytes = new byte[0x898];
            BinaryPrimitives.WriteUInt32LittleEndian(bytes, i == 0 ? 2u : 0);
            Put(bytes, 0x60, arenas[i] + 0x10000);
            Put(bytes, 0x70, arenas[i] + 0x60);
            Put(bytes, 0x870, arenas[(i + 1) % count]);
            Put(bytes, 0x888, 0x21000);
            Put(bytes, 0x890, 0x21000);
            _memory.Write(arenas[i], bytes);
        }
    }

    private static void Put(byte[] bytes, int offset, ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(offset), value);

    private static FutexWait Wait(ulong word) => FutexWait.Of(Thread(202, word, 128, 2))!;

    internal static ElfThread Thread(ulong call, ulong first, ulong second, ulong third, ulong fourth = 0)
    {
        ulong[] registers = new ulong[27];
        (registers[15], registers[14], registers[13], registers[12], registers[7]) = (call, first, second, third, fourth);
        return new ElfThread(100, 0, TimeSpan.Zero, TimeSpan.Zero, registers);
    }
}
