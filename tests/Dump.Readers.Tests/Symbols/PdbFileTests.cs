using System.Buffers.Binary;
using Dump.Fuzz.Targets;
using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Symbols.Pdb;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Symbols;

/// <summary>The PDB reader on files made by hand.</summary>
public sealed class PdbFileTests
{
    internal static FakePdb Sample(int blockSize = 512, bool isRearranged = false, bool hasSections = true) =>
        PdbTarget.Sound(blockSize, isRearranged, hasSections);

    internal static PdbIdentity Identity => PdbTarget.Identity;

    private static PdbFile Open(FakePdb pdb)
    {
        PdbFile? file = PdbFile.FromBytes(pdb.ToArray(), Identity, out string? reason);
        Assert.Null(reason);
        return file!;
    }

    private static string? Refusal(byte[] bytes, PdbIdentity? identity = null)
    {
        PdbFile? file = PdbFile.FromBytes(bytes, identity ?? Identity, out string? reason);
        Assert.Equal(file is null, reason is not null);
        return reason;
    }

    /// <summary>Such a file is no damaged one, and the line says what to do.</summary>
    [Fact]
    public void Compressed_form_is_named()
    {
        byte[] header = [.. "Microsoft MSFZ Container\r\n\u001aALD\0\0"u8, .. new byte[48]];
        Assert.Equal("it is in the compressed form MSFZ, which is not read; replace it by its plain form (MSF 7.0)", Refusal(header));
        Assert.Equal("it is no program database in the MSF 7.0 format", Refusal(header[1..]));
        Assert.Equal("it is no program database in the MSF 7.0 format", Refusal(header[..24]));
    }

    [Theory]
    [InlineData(512)]
    [InlineData(4096)]
    [InlineData(32768)]
    public void Sections_and_offsets_become_relative_addresses(int blockSize)
    {
        using PdbFile pdb = Open(Sample(blockSize));
        Assert.Equal(0x4020u, pdb.AddressOf("LdrpLoaderLock"));
        Assert.Equal(0x1100u, pdb.AddressOf("ZwClose"));
        Assert.Equal(0x1200u, pdb.AddressOf("?run@Engine@@QEAAHH@Z"));
        Assert.Equal(new PdbFunction(0x1700, null, "_underscored", SymbolSource.PublicSymbol), pdb.Functions.At(0x1700, null));
    }

    [Fact]
    public void Symbols_without_a_place_in_the_image_have_no_address()
    {
        using PdbFile pdb = Open(Sample());
        Assert.Null(pdb.AddressOf("OutsideItsSection"));
        Assert.Null(pdb.AddressOf("OfNoSection"));
        Assert.Null(pdb.AddressOf("NotThere"));
        Assert.Null(pdb.AddressOf("ldrploaderlock"));
    }

    [Theory]
    [InlineData(0x4020)]    // data, not flagged as a function
    [InlineData(0x4040)]    // flagged as a function, in a section that is not executable
    [InlineData(0x1180)]    // in code, not flagged as a function
    [InlineData(0x4100)]    // a procedure in a section that is not executable
    public void Data_is_no_function(uint rva)
    {
        using PdbFile pdb = Open(Sample());
        Assert.Null(pdb.Functions.At(rva, null));
        Assert.Null(pdb.Functions.Covering(rva));
    }

    [Theory]
    [InlineData(0x1200, "Engine::run")]
    [InlineData(0x1300, "local")]
    [InlineData(0x1400, "local")]
    [InlineData(0x1500, "global")]
    public void Procedures_of_all_kinds_and_object_files_are_found(uint rva, string name)
    {
        using PdbFile pdb = Open(Sample());
        Assert.Equal((name, SymbolSource.Procedure), (pdb.Functions.At(rva, null)?.Name, pdb.Functions.At(rva, null)?.Source));
    }

    [Fact]
    public void Of_several_names_the_preferred_one_wins_then_the_system_calls()
    {
        using PdbFile pdb = Open(Sample());
        Assert.Equal("NtClose", pdb.Functions.At(0x1100, null)?.Name);
        Assert.Equal("ZwClose", pdb.Functions.At(0x1100, "ZwClose")?.Name);
        Assert.Equal("NtClose", pdb.Functions.At(0x1100, "Other")?.Name);
    }

    [Theory]
    [InlineData(0x11FF, null)]
    [InlineData(0x1200, "Engine::run")]
    [InlineData(0x123F, "Engine::run")]
    [InlineData(0x1240, null)]
    [InlineData(0x1101, null)]      // behind a public symbol, whose length is unknown
    [InlineData(0xFFFFFFFF, null)]
    public void Only_a_procedure_covers_addresses_and_only_its_own(uint rva, string? name)
    {
        using PdbFile pdb = Open(Sample());
        Assert.Equal(name, pdb.Functions.Covering(rva)?.Name);
    }

    [Fact]
    public void Age_is_that_of_the_build_not_of_the_file()
    {
        byte[] bytes = Sample().ToArray();
        Assert.Null(Refusal(bytes));
        Assert.Contains("another build", Refusal(bytes, Identity with { Age = new FakePdb().InformationAge }), StringComparison.Ordinal);
        Assert.Contains("another build", Refusal(bytes, Identity with { Age = 3 }), StringComparison.Ordinal);
        Assert.Contains("another build", Refusal(bytes, Identity with { Guid = Guid.Empty }), StringComparison.Ordinal);
    }

    [Fact]
    public void Rearranged_code_and_missing_sections_are_refused()
    {
        Assert.Contains("rearranged", Refusal(Sample(isRearranged: true).ToArray()), StringComparison.Ordinal);
        Assert.Contains("sections", Refusal(Sample(hasSections: false).ToArray()), StringComparison.Ordinal);
    }

    [Fact]
    public void Names_are_sanitised()
    {
        using PdbFile pdb = Open(new FakePdb().Section(0x1000, 0x100, FakePdb.Code).Public("bad\u001b[31m", 1, 0).Procedure("bad\u202e", 1, 0x10, 4));
        Assert.Equal("bad?[31m", pdb.Functions.At(0x1000, null)?.Name);
        Assert.Equal("bad?", pdb.Functions.At(0x1010, null)?.Name);
    }

    [Fact]
    public void Records_that_cross_blocks_are_read()
    {
        FakePdb many = new FakePdb().Section(0x1000, 0x10000, FakePdb.Code);
        for (uint i = 0; i < 500; i++)
        {
            many.Public($"public_{i}", 1, i * 16).Procedure($"procedure_{i}", 1, 0x8000 + i * 16, 16);
        }

        using PdbFile pdb = Open(many);
        Assert.Equal(1000, pdb.Functions.Count);
        Assert.All(Enumerable.Range(0, 500), i => Assert.Equal($"public_{i}", pdb.Functions.At(0x1000 + (uint)i * 16, null)?.Name));
        Assert.All(Enumerable.Range(0, 500), i => Assert.Equal($"procedure_{i}", pdb.Functions.Covering(0x9007 + (uint)i * 16)?.Name));
    }

    [Theory]
    [InlineData(0, 0x20202020)]      // signature
    [InlineData(32, 0)]              // block size
    [InlineData(32, 768)]
    [InlineData(32, 0x8000_0000)]
    [InlineData(40, 0)]              // number of blocks
    [InlineData(40, 0x7FFF_FFFF)]
    [InlineData(44, 0xFFFF_FFFF)]    // size of the directory
    [InlineData(44, 2)]
    [InlineData(52, 0x00FF_FFFF)]    // block that lists the directory's blocks
    public void Impossible_headers_are_refused(int offset, uint value)
    {
        byte[] bytes = Sample().ToArray();
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(offset), value);
        Assert.NotNull(Refusal(bytes));
    }

    [Fact]
    public void Files_that_cannot_be_opened_have_a_reason()
    {
        Assert.Null(PdbFile.Open(Path.Combine(Path.GetTempPath(), "no-such-directory", "a.pdb"), Identity, out string? reason));
        Assert.Contains("cannot be read", reason, StringComparison.Ordinal);
    }
}
