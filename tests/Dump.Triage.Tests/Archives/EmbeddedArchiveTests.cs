using System.IO.Compression;
using Dump.Testing.Fixtures;
using Dump.Triage.Records;

namespace Dump.Triage.Tests.Archives;

/// <summary>Archives that other bytes stand before: programs that unpack themselves.</summary>
public sealed class EmbeddedArchiveTests : IDisposable
{
    private readonly TriageFolder _folder = new();
    private readonly byte[] _program = File.ReadAllBytes(Path.Combine(AppContext.BaseDirectory, "dumpanalyze.dll"));

    [SkippableTheory]
    [InlineData("collected.exe", true, 0)]
    [InlineData("collected.exe", true, 5_000)]
    [InlineData("collected", true, 0)]
    [InlineData("collected.bin", false, 0)]
    [InlineData("collected.zip", false, 300)]
    public void Zip_behind_other_bytes_is_looked_into(string name, bool isProgram, int behind)
    {
        RequireLinux();
        byte[] before = isProgram ? _program : "#!/bin/sh\nexec unzip\n"u8.ToArray();
        File.WriteAllBytes(_folder.At(name), [.. before, .. Zip(), .. new byte[behind]]);
        TriageRecords records = _folder.Run(TriageFolder.FindsNothing);
        Assert.Equal($"{name}!deep/hang.dmp", Assert.Single(records.Records).Source.Text);
        Assert.Empty(_folder.Summary!.Warnings);
    }

    /// <summary>As <c>zip -A</c> leaves it: offsets count from the beginning of the program.</summary>
    [SkippableFact]
    public void Zip_whose_offsets_count_the_program_is_looked_into()
    {
        RequireLinux();
        File.WriteAllBytes(_folder.At("collected.exe"), _program);
        using (FileStream file = new(_folder.At("collected.exe"), FileMode.Open))
        {
            file.Position = file.Length;
            byte[] bytes = Zip();
            int end = bytes.Length - 22;
            int table = BitConverter.ToInt32(bytes, end + 16);
            BitConverter.GetBytes(table + _program.Length).CopyTo(bytes, end + 16);
            BitConverter.GetBytes(BitConverter.ToInt32(bytes, table + 42) + _program.Length).CopyTo(bytes, table + 42);
            file.Write(bytes);
        }

        Assert.Equal("collected.exe!deep/hang.dmp", Assert.Single(_folder.Run(TriageFolder.FindsNothing).Records).Source.Text);
        Assert.Empty(_folder.Summary!.Warnings);
    }

    [SkippableTheory]
    [InlineData("collected.exe", 0xFFFFFFFF)]
    [InlineData("collected.zip", 0xFFFFFFFF)]
    [InlineData("collected.exe", 0)]
    public void Long_zip_behind_a_program_is_looked_into(string name, uint offset)
    {
        RequireLinux();
        File.WriteAllBytes(_folder.At(name), [.. _program, .. Long(Zip(), offset)]);
        Assert.Equal($"{name}!deep/hang.dmp", Assert.Single(_folder.Run(TriageFolder.FindsNothing).Records).Source.Text);
        Assert.Empty(_folder.Summary!.Warnings);
    }

    /// <summary>The reader of .NET takes the table of the zip64 record when the number of members alone says that there is one.</summary>
    [SkippableFact]
    public void Limit_of_the_table_holds_for_that_of_the_zip64_record()
    {
        RequireLinux();
        byte[] zip = Zip();
        File.WriteAllBytes(_folder.At("long.zip"), Long(zip, (uint)zip.Length));
        Assert.Equal("long.zip!deep/hang.dmp", Assert.Single(_folder.Run(TriageFolder.FindsNothing).Records).Source.Text);
        int size = 20_000;
        File.WriteAllBytes(_folder.At("long.zip"), Long([.. zip[..^22], .. new byte[size], .. zip[^22..]], (uint)(zip.Length + size)));
        _folder.Run(TriageFolder.FindsNothing, o => o with { Unpacking = o.Unpacking with { DirectoryBytes = size } });
        Assert.StartsWith("its table of members takes ", Assert.Single(_folder.Summary!.Warnings).Message, StringComparison.Ordinal);
    }

    /// <summary>Without a size the reader of programs throws at 2 GiB.</summary>
    [SkippableFact]
    public void Program_of_gigabytes_does_not_end_the_run()
    {
        RequireLinux();
        foreach ((string name, byte[] start) in new[] { ("big.exe", "MZ"u8.ToArray()), ("program.exe", _program) })
        {
            using FileStream file = File.Create(_folder.At(name));
            file.Write(start);
            file.SetLength(3L << 30);
        }

        _folder.Pretend("hang.dmp");
        Assert.Equal("hang.dmp", Assert.Single(_folder.Run(TriageFolder.FindsNothing).Records).Source.Text);
        Assert.Empty(_folder.Summary!.Warnings);
    }

    [SkippableTheory]
    [InlineData("377ABCAF271C0004")]
    [InlineData("526172211A070100")]
    [InlineData("3B2140496E7374616C6C40215554462D3821")]
    public void Archive_of_another_kind_behind_a_program_is_named(string signature)
    {
        RequireLinux();
        File.WriteAllBytes(_folder.At("collected.exe"), [.. _program, .. Convert.FromHexString(signature), .. new byte[400]]);
        _folder.Run(TriageFolder.FindsNothing);
        Assert.Equal("it is a program that unpacks itself, of a kind that is not opened (zip is); unpack it first", Assert.Single(_folder.Summary!.Warnings)
            .Message);
        Assert.Equal(1, _folder.Summary.Counts.NotLookedAt);
    }

    /// <summary>Programs that handle archives hold their signatures; damaged ones hold anything.</summary>
    [SkippableFact]
    public void Other_programs_are_of_no_interest()
    {
        RequireLinux();
        File.WriteAllBytes(_folder.At("a.exe"), _program);
        File.WriteAllBytes(_folder.At("b.exe"), [.. _program, .. "PK\x05\x06"u8, .. new byte[18]]);
        File.WriteAllBytes(_folder.At("c.exe"), [.. _program, .. "PK\x05\x06"u8, .. Enumerable.Repeat((byte)0xFF, 18)]);
        File.WriteAllBytes(_folder.At("d.exe"), _program[..700]);
        File.WriteAllBytes(_folder.At("e.exe"), "MZ"u8.ToArray());
        File.WriteAllBytes(_folder.At("f.txt"), [.. "text"u8, .. Zip()[^22..]]);
        File.WriteAllBytes(_folder.At("g"), []);
        Assert.Empty(_folder.Run(TriageFolder.FindsNothing).Records);
        Assert.Empty(_folder.Summary!.Warnings);
    }

    /// <summary>Damage anywhere in the last bytes: something is said, or it is no archive; never an error.</summary>
    [SkippableFact]
    public void Damaged_ends_are_no_error()
    {
        RequireLinux();
        Random random = new(4711);
        byte[] zip = Zip();
        for (int i = 0; i < 300; i++)
        {
            byte[] bytes = [.. _program.AsSpan(0, 2_000), .. zip];
            for (int damage = random.Next(1, 4); damage > 0; damage--)
            {
                bytes[^random.Next(1, 120)] = (byte)random.Next(256);
            }

            File.WriteAllBytes(_folder.At($"{i}.exe"), bytes);
        }

        TriageRecords records = _folder.Run(TriageFolder.FindsNothing);
        Assert.InRange(records.Records.Length, 1, 300);
    }

    [SkippableFact]
    public void Dump_with_an_archive_behind_it_is_a_dump()
    {
        RequireLinux();
        File.WriteAllBytes(_folder.At("hang.dmp"), [.. File.ReadAllBytes(Fixture.Named("cs-cycle2").Path), .. Zip()]);
        Assert.Equal("hang.dmp", Assert.Single(_folder.Run(TriageFolder.FindsNothing).Records).Source.Text);
    }

    public void Dispose() => _folder.Dispose();

    private static void RequireLinux() => Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");

    /// <summary>The archive with a zip64 record, which the number of members in the end record says is there (APPNOTE.TXT 4.3.14 to 4.3.16).</summary>
    private static byte[] Long(byte[] zip, uint offset)
    {
        byte[] end = zip[^22..];
        byte[] record = new byte[56];
        BitConverter.GetBytes(0x06064B50).CopyTo(record, 0);
        BitConverter.GetBytes(44L).CopyTo(record, 4);
        BitConverter.GetBytes((long)BitConverter.ToUInt16(end, 8)).CopyTo(record, 24);
        BitConverter.GetBytes((long)BitConverter.ToUInt16(end, 10)).CopyTo(record, 32);
        BitConverter.GetBytes((long)BitConverter.ToUInt32(end, 12)).CopyTo(record, 40);
        BitConverter.GetBytes((long)BitConverter.ToUInt32(end, 16)).CopyTo(record, 48);
        byte[] locator = new byte[20];
        BitConverter.GetBytes(0x07064B50).CopyTo(locator, 0);
        BitConverter.GetBytes(zip.LongLength - 22).CopyTo(locator, 8);
        BitConverter.GetBytes(1).CopyTo(locator, 16);
        BitConverter.GetBytes(0xFFFFFFFF).CopyTo(end, 8);
        BitConverter.GetBytes(offset).CopyTo(end, 16);
        return [.. zip[..^22], .. record, .. locator, .. end];
    }

    private static byte[] Zip()
    {
        using MemoryStream bytes = new();
        using (ZipArchive zip = new(bytes, ZipArchiveMode.Create, leaveOpen: true))
        {
            using Stream stream = zip.CreateEntry("deep/hang.dmp").Open();
            stream.Write(TriageFolder.PretendBytes(1, 50_000));
        }

        return bytes.ToArray();
    }
}
