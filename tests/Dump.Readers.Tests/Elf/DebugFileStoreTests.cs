using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Tests.Unwinding;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Elf;

/// <summary>Names from separate debug files: of the very build id, from regular files, and from nowhere else.</summary>
public sealed class DebugFileStoreTests : IDisposable
{
    private const ulong Base = 0x10_0000;
    private static readonly byte[] s_id = [0xAB, 0xCD, 0xEF, 0x01, 0x23];
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-debug-files-").FullName;

    private string Cached => Path.Combine(_folder, "cache", "abcdef0123", "debuginfo");

    private string CachedImage => Path.Combine(_folder, "cache", "abcdef0123", "executable");

    private string OfSystem => Path.Combine(_folder, "debug", ".build-id", "ab", "cdef0123.debug");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Function_has_the_name_of_the_debug_file(bool isOfSystem)
    {
        Assert.Null(Name());
        Write(isOfSystem ? OfSystem : Cached, Functions(s_id));
        Assert.Equal("wait_for_order", Name());
        Assert.Null(Name(Base + 0x140));
    }

    [Fact]
    public void Debug_file_of_another_build_names_nothing()
    {
        Write(OfSystem, Functions([0xAB, 0xCD, 0xEF, 0x01, 0x24]));
        Assert.Null(Name());
        Write(Cached, Functions(s_id));
        Assert.Equal("wait_for_order", Name());
    }

    /// <summary>Such a client writes an empty file for what servers do not have, and opening a pipe without a writer never returns.</summary>
    [SkippableTheory]
    [InlineData("empty")]
    [InlineData("text")]
    [InlineData("cut")]
    [InlineData("folder")]
    [InlineData("pipe")]
    public void What_is_no_debug_file_names_nothing(string kind)
    {
        Skip.If(OperatingSystem.IsWindows() && kind == "pipe", "Windows has no such files");
        byte[] whole = Functions(s_id);
        switch (kind)
        {
            case "folder":
                Directory.CreateDirectory(Cached);
                break;
            case "pipe":
                Directory.CreateDirectory(Path.GetDirectoryName(Cached)!);
                using (System.Diagnostics.Process make = System.Diagnostics.Process.Start("mkfifo", [Cached]))
                {
                    make.WaitForExit();
                }

                break;
            default:
                Write(Cached, kind switch { "empty" => [], "text" => "not found"u8.ToArray(), _ => whole[..^100] });
                break;
        }

        Assert.Null(Name());
    }

    /// <summary>Whatever of its tables is damaged: no exception, and no name that is not there.</summary>
    [Fact]
    public void Damaged_debug_file_is_harmless()
    {
        byte[] whole = Functions(s_id);
        for (int i = 40; i < whole.Length; i++)
        {
            byte[] damaged = [.. whole];
            damaged[i] ^= 0xFF;
            Write(Cached, damaged);
            Name();
        }
    }

    /// <summary>The id of an image is whatever a core says: it leads to no other place.</summary>
    [Theory]
    [InlineData("../../etc/passwd")]
    [InlineData("ab/cdef")]
    [InlineData("ABCDEF0123")]
    [InlineData("ab")]
    [InlineData("")]
    public void What_is_no_build_id_has_no_place(string id) => Assert.Null(Store.Place(id, isImage: false));

    [Fact]
    public void Image_that_the_process_names_nowhere_is_read_from_the_cache()
    {
        byte[] image = FakeElf.Image(s_id);
        image[0x900] = 0x5A;
        Write(CachedImage, image);
        using ElfImages images = new(Memory(image[..0x400]), Files, null, Store);
        byte[] read = new byte[1];
        Assert.Equal(1, images.Find(Base + 0x900)!.Image.Read(Base + 0x900, read));
        Assert.Equal(0x5A, read[0]);
    }

    private static byte[] Functions(byte[] id) => FakeElf.DebugFile(id, ("other", 0x80, 0x10), ("wait_for_order", 0x120, 0x20));

    private static ElfMappedFiles Files => new([new(Base, Base + 0x1000, 0, "/nowhere/libshop.so")]);

    private static SparseMemory Memory(byte[] image) => new SparseMemory().Write(Base, image);

    private DebugFileStore Store => new(Path.Combine(_folder, "debug"), Path.Combine(_folder, "cache"));

    private string? Name(ulong address = Base + 0x130)
    {
        using ElfImages images = new(Memory(FakeElf.Image(s_id)), Files, null, Store);
        return images.Find(address)!.Symbols.Find(address)?.Name;
    }

    private static void Write(string path, byte[] bytes)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, bytes);
    }
}
