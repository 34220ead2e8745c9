using System.Diagnostics;
using Dump.Model.Process;
using Dump.Readers.Elf;
using Dump.Readers.Pe;
using Dump.Testing;

namespace Dump.Readers.Tests.Pe;

/// <summary>Lines of images that GCC for Windows has made: by the DWARF in their files, which has section names that are longer than the header has room
/// for.</summary>
public sealed class PeLineTests : IDisposable
{
    private const string Compiler = "x86_64-w64-mingw32-g++-posix";
    private const int Rounds = 60;
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(3);
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-pe-lines-").FullName;

    [SkippableTheory]
    [InlineData("-gdwarf-4")]
    [InlineData("-gdwarf-5")]
    public void Lines_and_inlined_functions_are_read(string version)
    {
        string[] found = [.. Places(Compile(version)).Select(p => p.Source).Where(s => s?.FileName == "two-deadlocks.cpp").Select(s => s!.Text).Distinct()];
        Assert.Contains(Line("transfer"), found);
        Assert.Contains(Line("audit"), found);
        InlinedCall[] inlined = [.. Places(Compile(version)).SelectMany(p => p.Inlined)];
        Assert.Contains(inlined, i => i is { Function: "shop::meet", Source.FileName: "two-deadlocks.cpp" });
        Assert.All(inlined, i => Assert.DoesNotMatch("^(std::|__gthread)", i.Function));
    }

    [SkippableFact]
    public void Image_without_debug_information_has_no_lines()
    {
        string program = Compile("-s");
        using PeImageFile file = PeImageFile.Open(program)!;
        Assert.Null(CoffSymbols.ReadSection(file, ".debug_line"));
        Assert.NotNull(CoffSymbols.ReadSection(file, ".text"));
        Assert.Empty(Places(program));
    }

    /// <summary>Headers of sections, the table of strings and the sections, changed at random: other lines or none, and an end.</summary>
    [SkippableFact]
    public void Damaged_file_has_other_lines_or_none()
    {
        string program = Compile("-gdwarf-5");
        byte[] whole = File.ReadAllBytes(program);
        Random random = new(44);
        for (int round = 0; round < Rounds; round++)
        {
            byte[] damaged = [.. whole];
            int end = round % 2 == 0 ? 0x600 : whole.Length;
            for (int changes = random.Next(1, round % 2 == 0 ? 8 : 4_000); changes > 0; changes--)
            {
                damaged[random.Next(round % 2 == 0 ? 0x180 : 0x600, end)] = (byte)random.Next(256);
            }

            string other = Path.Combine(_directory, "damaged.exe");
            File.WriteAllBytes(other, damaged);
            Assert.All(Places(other).Take(2_000), p => Assert.True(p.Source is null or { Line: > 0 }));
        }
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private static List<LinePlace> Places(string program)
    {
        List<LinePlace> places = [];
        using PeImageFile? file = PeImageFile.Open(program);
        if (file is not null && DwarfLines.Read(name => CoffSymbols.ReadSection(file, name)) is { } lines
            && file.Headers.Sections.FirstOrDefault(s => s.IsExecutable) is { VirtualSize: > 0 } code)
        {
            for (uint rva = code.VirtualAddress; rva < code.VirtualAddress + Math.Min(code.VirtualSize, 0x4000); rva++)
            {
                places.Add(lines.Place(file.Headers.PreferredBase + rva));
            }
        }

        return places;
    }

    private static string Line(string function) => "two-deadlocks.cpp:" + (1 + Array.FindIndex(
        File.ReadAllLines(Path.Combine(Repository.Root, "samples", "linux", "two-deadlocks.cpp")), l => l.Contains($"// {function} waits here", StringComparison.Ordinal)));

    private string Compile(string option)
    {
        string target = Path.Combine(_directory, "program.exe");
        try
        {
            using Process process = Process.Start(
                Compiler, ["-std=c++17", "-O2", option, Path.Combine(Repository.Root, "samples", "linux", "two-deadlocks.cpp"), "-o", target]);
            Assert.True(process.WaitForExit(s_limit) && process.ExitCode == 0);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Skip.If(true, $"needs {Compiler}");
        }

        return target;
    }
}
