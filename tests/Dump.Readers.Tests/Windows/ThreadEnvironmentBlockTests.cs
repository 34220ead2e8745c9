using System.Buffers.Binary;
using Dump.Readers.Tests.Unwinding;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Process;

namespace Dump.Readers.Tests.Windows;

/// <summary>Whether a thread has called the window manager, by Win32ThreadInfo (at 0x78, in 32-bit blocks at 0x40).</summary>
public sealed class ThreadEnvironmentBlockTests
{
    private const uint Address = 0x7F0000;
    private const uint Thread = 0x24;

    private static bool? IsGui(int pointerSize, uint info)
    {
        byte[] block = new byte[0x2000];
        void Set(int narrow, int wide, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(block.AsSpan(pointerSize == sizeof(uint) ? narrow : wide),
            value);
        Set(0x4, 0x8, 0x20000);
        Set(0x8, 0x10, 0x10000);
        Set(0x18, 0x30, Address);
        Set(0x24, 0x48, Thread);
        Set(0x30, 0x60, 0x7E0000);
        Set(0x40, 0x78, info);
        TebLayout layout = new(WindowsAbis.Of(pointerSize));
        ThreadEnvironmentBlock? read = ThreadEnvironmentBlock.Read(new SparseMemory().Write(Address, block), layout, Address, Thread, 0x18000);
        Assert.NotNull(read);
        return read.IsGuiThread;
    }

    [Theory]
    [InlineData(8, 0u, false)]
    [InlineData(8, 0x1000u, true)]
    [InlineData(4, 0x1000u, true)]
    public void Field_tells_whether_a_thread_called_the_window_manager(int pointerSize, uint info, bool expected) =>
        Assert.Equal(expected, IsGui(pointerSize, info));

    /// <summary>The window manager of 64-bit Windows may have written into the 64-bit block only.</summary>
    [Fact]
    public void Zero_in_32_bit_code_says_nothing() => Assert.Null(IsGui(4, 0));
}
