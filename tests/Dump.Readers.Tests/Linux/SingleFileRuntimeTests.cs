using System.Buffers.Binary;
using System.Text;
using Dump.Readers.Linux;
using Dump.Readers.Minidump;

namespace Dump.Readers.Tests.Linux;

/// <summary>
/// Programs with the .NET runtime inside, made by hand; <c>Dump.EndToEnd.Tests</c> reads real ones. What the object holds are the bytes of the host of .NET
/// 10.0.12.
/// </summary>
public sealed class SingleFileRuntimeTests
{
    private const string Name = "DotNetRuntimeInfo";
    private const ulong LoadAddress = 0x10000;
    private const int Dynamic = 0x100;
    private const int Hash = 0x180;
    private const int Symbols = 0x200;
    private const int Strings = 0x280;
    private const int Object = 0x300;
    private static readonly byte[] s_runtime = Convert.FromHexString("79945f51fb2612f13b7667a10a8fd29122664791");
    private static readonly byte[] s_dataAccess = Convert.FromHexString("db4f56c046c1e0207517d17725087cb3f81fa1cf");

    /// <summary>One loaded segment that holds all, at an address that is not its offset; two exported symbols in one bucket of the hash table.</summary>
    private static byte[] Program(string exported = Name, uint version = 2, byte idLength = 20, ushort section = 30)
    {
        byte[] file = new byte[0x400];
        ((byte[])[0x7F, (byte)'E', (byte)'L', (byte)'F', 2, 1, 1]).CopyTo(file, 0);
        Write(file, 32, 64);
        BinaryPrimitives.WriteUInt16LittleEndian(file.AsSpan(54), 56);
        BinaryPrimitives.WriteUInt16LittleEndian(file.AsSpan(56), 2);
        Segment(file, 64, 1, 0, LoadAddress, file.Length);
        Segment(file, 120, 2, Dynamic, LoadAddress + Dynamic, 0x80);
        ulong[] entries = [0x6FFFFEF5, LoadAddress + Hash, 6, LoadAddress + Symbols, 5, LoadAddress + Strings, 0, 0];
        for (int i = 0; i < entries.Length; i++)
        {
            Write(file, Dynamic + i * 8, entries[i]);
        }

        // One bucket, first symbol 1, one word of filter; then the bucket and a hash for each symbol, whose lowest bit ends the bucket.
        uint[] table = [1, 1, 1, 6, 0, 0, 1, GnuHash("other") & ~1u, GnuHash(exported) | 1];
        for (int i = 0; i < table.Length; i++)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(file.AsSpan(Hash + i * 4), table[i]);
        }

        Encoding.ASCII.GetBytes($"\0other\0{exported}\0").CopyTo(file, Strings);
        Symbol(file, 1, 1, 30, LoadAddress);
        Symbol(file, 2, 7, section, LoadAddress + Object);
        Encoding.ASCII.GetBytes(Name).CopyTo(file, Object);
        BinaryPrimitives.WriteUInt32LittleEndian(file.AsSpan(Object + 20), version);
        Index(file, Object + 24, idLength, s_runtime);
        Index(file, Object + 48, idLength, s_dataAccess);
        uint[] release = [10, 0, 1226, 42308];
        for (int i = 0; i < release.Length; i++)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(file.AsSpan(Object + 96 + i * 4), release[i]);
        }

        return file;
    }

    [Fact]
    public void Runtime_inside_of_a_program_is_read() => Assert.Equal(
        new SingleFileRuntime("79945f51fb2612f13b7667a10a8fd29122664791", "db4f56c046c1e0207517d17725087cb3f81fa1cf", new Version(10, 0, 1226, 42308)),
        Read(Program()));

    /// <summary>The first form of the structure has no version, and what a later form has there is not known.</summary>
    [Theory]
    [InlineData(1u)]
    [InlineData(3u)]
    public void Version_is_unknown_where_the_structure_does_not_tell_it(uint version)
    {
        SingleFileRuntime? runtime = Read(Program(version: version));
        Assert.NotNull(runtime);
        Assert.Null(runtime.FileVersion);
    }

    [Fact]
    public void Program_that_exports_another_name_has_none() => Assert.Null(Read(Program(exported: "DotNetRuntimeInfX")));

    [Fact]
    public void Program_that_only_asks_for_the_name_has_none() => Assert.Null(Read(Program(section: 0)));

    [Theory]
    [InlineData(0)]
    [InlineData(24)]
    [InlineData(255)]
    public void Build_id_of_an_impossible_length_is_refused(byte length) => Assert.Null(Read(Program(idLength: length)));

    [Fact]
    public void Object_without_its_signature_is_refused()
    {
        byte[] program = Program();
        program[Object + 3] ^= 0x20;
        Assert.Null(Read(program));
    }

    [Fact]
    public void Cut_anywhere_it_has_none()
    {
        byte[] program = Program();
        for (int length = 1; length < Object + 72; length++)
        {
            Assert.Null(Read(program[..length]));
        }
    }

    [Fact]
    public void Any_byte_may_be_wrong()
    {
        for (int i = 0; i < Program().Length; i++)
        {
            byte[] program = Program();
            program[i] = 0xFF;
            Read(program);
        }
    }

    [Fact]
    public void What_is_no_program_has_none()
    {
        Assert.Null(SingleFileRuntime.Read("/no/such/program"));
        Assert.Null(SingleFileRuntime.Read(Path.GetTempPath()));
        Assert.Null(Read([.. Enumerable.Repeat((byte)0xFF, 4096)]));
    }

    private static SingleFileRuntime? Read(byte[] program) => SingleFileRuntime.Read(FileBytes.Wrap(program));

    private static uint GnuHash(string name) => name.Aggregate(5381u, (hash, letter) => unchecked(hash * 33 + letter));

    private static void Index(byte[] file, int at, byte length, byte[] id)
    {
        file[at] = length;
        id.CopyTo(file, at + 1);
    }

    private static void Symbol(byte[] file, int index, uint name, ushort section, ulong value)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(file.AsSpan(Symbols + index * 24), name);
        BinaryPrimitives.WriteUInt16LittleEndian(file.AsSpan(Symbols + index * 24 + 6), section);
        Write(file, Symbols + index * 24 + 8, value);
    }

    private static void Segment(byte[] file, int at, uint type, int offset, ulong address, int size)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(file.AsSpan(at), type);
        Write(file, at + 8, (ulong)offset);
        Write(file, at + 16, address);
        Write(file, at + 32, (ulong)size);
        Write(file, at + 40, (ulong)size);
    }

    private static void Write(byte[] file, int at, ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(file.AsSpan(at), value);
}
