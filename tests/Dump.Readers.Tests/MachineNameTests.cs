using System.Buffers.Binary;
using System.Text;
using Dump.Readers.Linux;
using Dump.Readers.Tests.Windows;
using Dump.Readers.Windows.Process;

namespace Dump.Readers.Tests;

/// <summary>The machine's name from a process' own environment, and nothing else of it.</summary>
public sealed class MachineNameTests
{
    private const ulong Peb = 0x7E000000;
    private const ulong Parameters = 0x20000;
    private const ulong Environment = 0x30000;
    private const ulong StackEnd = 0x7FFC_1000_0000;

    [Theory]
    [InlineData("COMPUTERNAME=BUILD-07", "BUILD-07")]
    [InlineData("ComputerName=BUILD-07", "BUILD-07")]
    [InlineData("A=1|COMPUTERNAME=BUILD-07|Z=2", "BUILD-07")]
    [InlineData("=C:=C:\\x|PATH=C:\\a;COMPUTERNAME=no|COMPUTERNAME=yes", "yes")]
    [InlineData("COMPUTERNAME=", null)]
    [InlineData("MYCOMPUTERNAME=x", null)]
    [InlineData("PASSWORD=secret", null)]
    [InlineData("COMPUTERNAME=a\u001b[7mb", "a?[7mb")]
    public void Windows_name_is_the_variable_computername(string variables, string? expected)
    {
        foreach (int pointerSize in new[] { sizeof(ulong), sizeof(uint) })
        {
            Assert.Equal(expected, MachineName.Read(Windows(pointerSize, Block(variables)), WindowsAbis.Of(pointerSize), Block()));
        }
    }

    [Fact]
    public void Windows_name_behind_a_long_environment_is_found_and_behind_an_endless_one_not()
    {
        string filler = string.Join('|', Enumerable.Range(0, 900).Select(i => $"VARIABLE{i}={new string('x', 100)}"));
        Assert.Equal("FAR", MachineName.Read(Windows(8, Block(filler + "|COMPUTERNAME=FAR")), WindowsAbis.Of(8), Block()));
        Assert.Null(MachineName.Read(Windows(8, Block(string.Concat(Enumerable.Repeat(filler + "|", 3)) + "COMPUTERNAME=FAR")), WindowsAbis.Of(8), Block()));
        Assert.Null(MachineName.Read(Windows(8, Encoding.Unicode.GetBytes(new string('x', 200_000))), WindowsAbis.Of(8), Block()));
    }

    [Fact]
    public void Windows_name_is_cut_and_unknown_where_memory_is_missing()
    {
        Assert.InRange(MachineName.Read(Windows(8, Block("COMPUTERNAME=" + new string('x', 5_000))), WindowsAbis.Of(8), Block())!.Length, 1, 64);
        Assert.Null(MachineName.Read(new Memory(), WindowsAbis.Of(8), Block()));
        Assert.Null(MachineName.Read(Windows(8, Block("COMPUTERNAME=X")), WindowsAbis.Of(8), null));
        Assert.Null(MachineName.Read(new Memory { [Peb + 0x20] = Words(8, ulong.MaxValue) }, WindowsAbis.Of(8), Block()));
        Memory cut = new() { [Peb + 0x20] = Words(8, Parameters), [Parameters + 0x80] = Words(8, ulong.MaxValue - 3) };
        Assert.Null(MachineName.Read(cut, WindowsAbis.Of(8), Block()));
    }

    [Theory]
    [InlineData("/app/run|--name|PATH=/bin|HOSTNAME=node-3|HOME=/root", "node-3")]
    [InlineData("/app/run|HOSTNAME=argument|HOSTNAME=environment|HOME=/root", "environment")]
    [InlineData("/app/run|MYHOSTNAME=x|HOME=/root", null)]
    [InlineData("/app/run|TOKEN=secret", null)]
    [InlineData("/app/run|HOSTNAME=", null)]
    public void Linux_name_is_the_variable_hostname(string texts, string? expected)
    {
        byte[] bytes = [0, .. Encoding.UTF8.GetBytes(texts.Replace('|', '\0')), 0];
        Assert.Equal(expected, LinuxHostName.Read(Stack(bytes, StackEnd - 100), StackEnd - 100));
    }

    [Fact]
    public void Linux_name_is_found_across_pages_and_unknown_where_memory_is_missing()
    {
        byte[] bytes = [0, .. "HOSTNAME=far"u8, 0, .. Enumerable.Repeat((byte)'x', 50_000)];
        Assert.Equal("far", LinuxHostName.Read(Stack(bytes, StackEnd), StackEnd));
        byte[] farther = [0, .. "HOSTNAME=far"u8, 0, .. Enumerable.Repeat((byte)'x', 300_000)];
        Assert.Null(LinuxHostName.Read(Stack(farther, StackEnd), StackEnd));
        Assert.Null(LinuxHostName.Read(new Memory(), StackEnd));
        Assert.Null(LinuxHostName.Read(new Memory(), null));
        Assert.Null(LinuxHostName.Read(new Memory(), 5));
        Assert.Null(LinuxHostName.Read(new Memory(), ulong.MaxValue));
    }

    /// <summary>The end of a stack, which begins at a page as all mapped memory does.</summary>
    private static Memory Stack(byte[] end, ulong at)
    {
        int before = (int)((at - (ulong)end.Length) % 4096);
        return new Memory { [at - (ulong)end.Length - (ulong)before] = [.. new byte[before], .. end] };
    }

    private static Memory Windows(int pointerSize, byte[] environment) => new()
    {
        [Peb + (pointerSize == 8 ? 0x20ul : 0x10)] = Words(pointerSize, Parameters),
        [Parameters + (pointerSize == 8 ? 0x80ul : 0x48)] = Words(pointerSize, Environment),
        [Environment] = environment,
    };

    private static ProcessEnvironmentBlock Block() => new(Peb, null, null, null, null, null, null);

    private static byte[] Block(string variables) => Encoding.Unicode.GetBytes(variables.Replace('|', '\0') + "\0\0");

    private static byte[] Words(int size, ulong value)
    {
        byte[] bytes = new byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, value);
        return bytes[..size];
    }

    /// <summary>Memory in pieces, which do not touch.</summary>
    private sealed class Memory : IMemory
    {
        private readonly SortedDictionary<ulong, byte[]> _pieces = [];

        public byte[] this[ulong address]
        {
            set => _pieces[address] = value;
        }

        public int Read(ulong address, Span<byte> destination)
        {
            foreach ((ulong start, byte[] bytes) in _pieces)
            {
                if (address >= start && address - start < (ulong)bytes.Length)
                {
                    int length = Math.Min(destination.Length, bytes.Length - (int)(address - start));
                    bytes.AsSpan((int)(address - start), length).CopyTo(destination);
                    return length;
                }
            }

            return 0;
        }
    }
}
