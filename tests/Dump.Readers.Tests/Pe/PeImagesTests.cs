using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Tests.Unwinding;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Pe;

/// <summary>Images that the dump lacks come from the directories that the user names, when they are the same build.</summary>
public sealed class PeImagesTests : IDisposable
{
    private const ulong Base = 0x180000000;
    private const uint Stamp = 0x60000000;
    private const int Size = 0x7000;
    private const uint Text = 0x1000;
    private const uint Data = 0x6000;
    private readonly string _directory = Directory.CreateTempSubdirectory("images").FullName;
    private readonly byte[] _bytes;
    private readonly FakeFunction _function;

    public PeImagesTests()
    {
        FakeImage image = new(@"C:\app\Library.dll", Base);
        _function = image.Function("Work");
        image.DataBytes[0] = 0x77;
        _bytes = image.ToMemory();
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    public void Without_headers_and_files_there_is_no_image()
    {
        Assert.Null(Find(new SparseMemory(), Stamp, Size));
        File.WriteAllBytes(Path.Combine(_directory, "other.dll"), _bytes);
        Assert.Null(Find(new SparseMemory(), Stamp, Size));
    }

    [Theory]
    [InlineData("Library.dll")]
    [InlineData("LIBRARY.DLL")]
    [InlineData("library.dll/600000007000/Library.dll")]
    public void A_file_of_the_same_build_stands_in(string path)
    {
        Write(path, _bytes);
        PeImage image = Assert.IsType<PeImage>(Find(new SparseMemory(), Stamp, Size));
        Assert.Equal((uint)_function.Rva, image.FindExport("Work")?.Rva);
        Assert.Equal(FunctionLookup.Found, image.LookUpFunction((uint)_function.Rva, out _));
        Assert.True(image.ReadRva(Text, new byte[4]));
        Assert.False(image.ReadRva(Data, new byte[4]));
    }

    [Theory]
    [InlineData("cache/LIBRARY.dll", Stamp, true)]
    [InlineData("cache/Library.dll", Stamp + 1, false)]
    [InlineData("cache/Other.dll", Stamp, false)]
    public void A_single_file_of_the_name_stands_in_when_it_is_of_the_same_build(string path, uint stamp, bool isTaken)
    {
        Write(path, _bytes);
        ModuleSnapshot module = Module(stamp, Size);
        NamedFiles files = NamedFiles.Of([Path.Combine(_directory, "absent", "Library.dll"), Path.Combine(_directory, path)]);
        using PeImages images = new(new SparseMemory(), new OneModule(module), files: files);
        Assert.Equal(isTaken, images.Find(module) is not null);
    }

    [Theory]
    [InlineData(Stamp + 1, Size)]
    [InlineData(Stamp, Size + 0x1000)]
    [InlineData(0u, Size)]
    public void A_file_of_another_build_is_rejected(uint stamp, int size)
    {
        Write("Library.dll", _bytes);
        Write($"store/Library.dll/{stamp:X8}{size:x}/Library.dll", _bytes);
        ModuleSnapshot module = Module(stamp, size);
        using PeImages images = new(new SparseMemory(), new OneModule(module), [_directory, Path.Combine(_directory, "store")]);
        Assert.Null(images.Find(module));
    }

    [Fact]
    public void A_file_of_another_build_does_not_hide_the_right_one()
    {
        byte[] other = [.. _bytes];
        other[0x88] ^= 1;
        Write("Library.dll", other);
        Write("sub/Library.dll", _bytes);
        using PeImages images = new(new SparseMemory(), new OneModule(Module(Stamp, Size)), [_directory, Path.Combine(_directory, "sub")]);
        Assert.Equal(Path.Combine(_directory, "sub", "Library.dll"), images.Find(Module(Stamp, Size))?.FilePath);
    }

    [Fact]
    public void Memory_comes_before_the_file()
    {
        Write("Library.dll", _bytes);
        byte[] patched = [.. _bytes[..0x1010]];
        patched[0x1000] = 0xCC;
        PeImage image = Find(new SparseMemory().Write(Base, patched), Stamp, Size)!;
        byte[] code = new byte[0x20];
        Assert.True(image.ReadRva(Text, code));
        Assert.Equal([0xCC, .. _bytes[0x1001..0x1020]], code);
    }

    [Fact]
    public void Writable_data_never_come_from_the_file()
    {
        Write("Library.dll", _bytes);
        PeImage image = Find(new SparseMemory().Write(Base + Data - 8, _bytes[((int)Data - 8)..(int)Data]), Stamp, Size)!;
        Assert.True(image.ReadRva(Data - 8, new byte[8]));
        Assert.False(image.ReadRva(Data - 8, new byte[16]));
    }

    [Fact]
    public void Names_that_lead_out_of_the_directory_are_not_followed()
    {
        Write("Library.dll", _bytes);
        Directory.CreateDirectory(Path.Combine(_directory, "sub"));
        ModuleSnapshot module = Module(Stamp, Size) with { Name = "../Library.dll" };
        using PeImages images = new(new SparseMemory(), new OneModule(module), [Path.Combine(_directory, "sub")]);
        Assert.Null(images.Find(module));
    }

    [Fact]
    public void Truncated_files_give_what_they_have()
    {
        for (int length = 0; length < _bytes.Length; length += length < 0x400 ? 13 : 0x3F1)
        {
            Write("Library.dll", _bytes[..length]);
            using PeImages images = new(new SparseMemory(), new OneModule(Module(Stamp, Size)), [_directory]);
            PeImage? image = images.Find(Module(Stamp, Size));
            Touch(image);
            Assert.True(length >= 0x228 || image is null, $"headers of {length} bytes");
            Assert.True(length < _function.Rva + 0x10 || image!.ReadRva((uint)_function.Rva, new byte[0x10]));
            Assert.True(length >= Text || image?.ReadRva(Text, new byte[1]) != true);
        }
    }

    [Fact]
    public void Truncated_memory_gives_what_it_has()
    {
        for (int length = 0; length < _bytes.Length; length += length < 0x400 ? 13 : 0x3F1)
        {
            PeImage? image = Find(new SparseMemory().Write(Base, _bytes[..length]), Stamp, Size);
            Touch(image);
            Assert.Equal(length >= 0x228, image is not null);
            Assert.Equal(length >= 0x3000 + 12 && length > 0x3000, image?.LookUpFunction((uint)_function.Rva, out _) == FunctionLookup.Found);
        }
    }

    [Fact]
    public void Headers_that_contradict_the_module_list_are_a_problem()
    {
        using PeImages images = new(new SparseMemory().Write(Base, _bytes), new OneModule(Module(Stamp, Size + 0x1000)));
        Assert.NotNull(images.Find(Module(Stamp, Size + 0x1000)));
        Assert.Contains("another size of image", Assert.Single(images.Problems).Message, StringComparison.Ordinal);
    }

    /// <summary>Reads every table; nothing may be thrown.</summary>
    private static void Touch(PeImage? image)
    {
        if (image is not null)
        {
            _ = (image.AddressExports.Count, image.TlsCallbacks.Count, image.Pdb, image.EntryPoint, image.Sections.Count, image.FindFunction(0x1000));
        }
    }

    private static ModuleSnapshot Module(uint stamp, int size) => new("Library.dll", @"C:\app\Library.dll", Base, (ulong)size, stamp, null, null);

    private PeImage? Find(SparseMemory memory, uint stamp, int size)
    {
        ModuleSnapshot module = Module(stamp, size);
        return new PeImages(memory, new OneModule(module), [_directory]).Find(module);
    }

    private void Write(string path, byte[] bytes)
    {
        string full = Path.Combine(_directory, path);
        Directory.CreateDirectory(Path.GetDirectoryName(full)!);
        File.WriteAllBytes(full, bytes);
    }

    private sealed class OneModule(ModuleSnapshot module) : IModuleMap
    {
        public IReadOnlyList<ModuleSnapshot> Modules { get; } = [module];

        public ModuleSnapshot? Find(ulong address) => Modules[0].Contains(address) ? Modules[0] : null;
    }
}
