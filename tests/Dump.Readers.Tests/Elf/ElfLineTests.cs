using System.Diagnostics;
using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Readers.Elf;
using Dump.Readers.Minidump;
using Dump.Testing;

namespace Dump.Readers.Tests.Elf;

/// <summary>Lines of native code beside those of addr2line (binutils), on real compilers' output of each version of DWARF, and damaged ones.</summary>
public sealed class ElfLineTests : IDisposable
{
    private const string Addr2Line = "/usr/bin/addr2line";
    private const string OtherAddr2Line = "/usr/bin/eu-addr2line";
    private const string ThirdAddr2Line = "/usr/bin/llvm-addr2line";
    private const string Cpp = "-std=c++17 ";
    private const int CompressionHeader = 24;
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-lines-").FullName;

    /// <summary>How a frame of zstd begins (RFC 8878, 3.1.1).</summary>
    private static ReadOnlySpan<byte> Zstd => [0x28, 0xB5, 0x2F, 0xFD];

    /// <summary>Compiler, source and options.</summary>
    public static TheoryData<string, string, string> Programs => new()
    {
        { "g++", "native-hang.cpp", Cpp + "-O2 -gdwarf-5" },
        { "gcc", "musl-hang.c", "-O2 -g" },
        { "clang++", "native-hang.cpp", Cpp + "-O2 -g" },
        { "rustc", "rust-hang.rs", "-O -g" },
    };

    /// <summary>The same, for what these do not show alone.</summary>
    public static TheoryData<string, string, string> FurtherPrograms => new()
    {
        { "g++", "native-hang.cpp", Cpp + "-O2 -gdwarf-2 -gstrict-dwarf" },
        { "g++", "native-hang.cpp", Cpp + "-O2 -gdwarf-4" },
        { "g++", "native-hang.cpp", Cpp + "-O0 -gdwarf-3" },
        { "g++", "native-hang.cpp", Cpp + "-O2 -g -gz=zlib" },
        { "g++", "native-hang.cpp", Cpp + "-O2 -g -gdwarf64" },
        { "g++", "native-hang.cpp", Cpp + "-O2 -g -no-pie -static-libstdc++ -ffunction-sections -Wl,--gc-sections" },
        { "clang++", "native-hang.cpp", Cpp + "-O2 -gdwarf-4" },
    };

    /// <summary>
    /// Of the tools one at least has the same: that of binutils takes the file of another function for some lines, and has none for some code of DWARF 2; that
    /// of elfutils has none for 64-bit offsets, and where one function ends and the next one begins it has the line of the first. That of LLVM, where it is
    /// installed, is asked for what both have otherwise.
    /// </summary>
    [SkippableTheory]
    [MemberData(nameof(Programs))]
    public void Lines_are_those_of_addr2line(string compiler, string source, string options)
    {
        Skip.IfNot(File.Exists(Addr2Line) && File.Exists(OtherAddr2Line), "needs addr2line of binutils and that of elfutils");
        string program = Compile(compiler, source, options);
        using FileBytes file = FileBytes.Open(program);
        DwarfLines lines = DwarfLines.Read(file)!;
        Assert.True(lines.Count > 0);
        ulong[] addresses = Spread(Addresses(program), 6_000);
        string input = string.Concat(addresses.Select(a => $"0x{a:x}\n"));
        string?[] first = [.. Run(Addr2Line, ["-e", program], input).Split('\n').Select(Normal)];
        string?[] second = [.. Run(OtherAddr2Line, ["-A", "-e", program], input).Split('\n').Select(Normal)];
        string?[] ours = [.. addresses.Select(a => Text(lines.Find(a)))];
        int[] alone = [.. Enumerable.Range(0, addresses.Length).Where(i => ours[i] != first[i] && ours[i] != second[i])];
        string?[] third = Third(program, [.. alone.Select(i => addresses[i])]);
        string[] different =
        [
            .. alone.Where((address, i) => ours[address] != third[i])
                .Select(i => $"{addresses[i]:x} {ours[i] ?? "none"} {first[i] ?? "none"} {second[i] ?? "none"}"),
        ];
        Assert.True(different.Length == 0, string.Join('\n', different.Take(20).Prepend($"{different.Length} of {addresses.Length}")));
        Assert.True(ours.Count(l => l is not null) > 500, $"{ours.Count(l => l is not null)} of {addresses.Length} have lines");
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherPrograms))]
    public void Lines_of_further_programs_are_those_of_addr2line(string compiler, string source, string options) =>
        Lines_are_those_of_addr2line(compiler, source, options);

    /// <summary>
    /// The calls of inlined functions beside those of addr2line, which prints the line of the innermost function first: the last one is the line in the function
    /// whose code it is. It finds nothing inlined in what Clang writes as DWARF 5.
    /// </summary>
    [SkippableTheory]
    [InlineData("g++", "two-deadlocks.cpp", Cpp + "-O1 -gdwarf-5 -pthread")]
    [InlineData("g++", "two-deadlocks.cpp", Cpp + "-O2 -gdwarf-4 -pthread")]
    [InlineData("clang++", "two-deadlocks.cpp", Cpp + "-O2 -gdwarf-4 -pthread")]
    [InlineData("rustc", "two-deadlocks.rs", "-O -g")]
    public void Lines_of_calls_of_inlined_functions_are_those_of_addr2line(string compiler, string source, string options)
    {
        Skip.IfNot(File.Exists(Addr2Line), "needs addr2line of binutils");
        string program = Compile(compiler, source, options);
        using FileBytes file = FileBytes.Open(program);
        DwarfLines lines = DwarfLines.Read(file)!;
        ulong[] addresses = Spread(Addresses(program), 5_000);
        string[] outer = OuterLines(program, addresses);
        int inlined = 0;
        List<string> different = [];
        for (int i = 0; i < addresses.Length; i++)
        {
            LinePlace place = lines.Place(addresses[i]);
            inlined += place.Inlined.Length;
            if (lines.Find(addresses[i]) is { } row && place.Source is { } call && row != call && Normal(outer[i]) != Text(call))
            {
                different.Add($"{addresses[i]:x} {Text(call)} {outer[i]}");
            }
        }

        Assert.True(different.Count < addresses.Length / 100, string.Join('\n', different.Take(20).Prepend($"{different.Count} of {addresses.Length}")));
        Assert.True(inlined > 10, $"{inlined} functions of the program are inlined");
    }

    /// <summary>The outermost line of each address, as <c>-i -a</c> prints them: the address, and then the lines from the innermost to the outermost.</summary>
    private static string[] OuterLines(string program, ulong[] addresses)
    {
        List<string> last = [];
        foreach (string line in Run(Addr2Line, ["-i", "-a", "-e", program], string.Concat(addresses.Select(a => $"0x{a:x}\n"))).Split('\n'))
        {
            if (line.StartsWith("0x", StringComparison.Ordinal))
            {
                last.Add("");
            }
            else if (line.Length > 0)
            {
                last[^1] = line;
            }
        }

        return [.. last];
    }

    /// <summary>What of a function is the program's is named where it is inlined, by its own line; a library's function is not.</summary>
    [SkippableTheory]
    [InlineData("g++", Cpp + "-O2 -gdwarf-5 -pthread")]
    [InlineData("g++", Cpp + "-O2 -gdwarf-4 -pthread")]
    [InlineData("clang++", Cpp + "-O2 -gdwarf-5 -pthread")]
    public void Inlined_functions_of_the_program_are_named(string compiler, string options)
    {
        string program = Compile(compiler, "two-deadlocks.cpp", options);
        using FileBytes file = FileBytes.Open(program);
        DwarfLines lines = DwarfLines.Read(file)!;
        InlinedCall[] inlined = [.. Addresses(program).SelectMany(a => lines.Place(a).Inlined)];
        Assert.Contains(inlined, i => i is { Function: "shop::meet", Source.FileName: "two-deadlocks.cpp" });
        Assert.All(inlined, i => Assert.DoesNotMatch("^(std::|__gthread)", i.Function));
    }

    /// <summary>Bytes of all sections that inlined functions are read from, changed at random: others or none, and an end.</summary>
    [SkippableTheory]
    [InlineData("-gdwarf-4", ".debug_info .debug_abbrev .debug_ranges .debug_str")]
    [InlineData("-gdwarf-5", ".debug_info .debug_abbrev .debug_rnglists .debug_str")]
    public void Damaged_inlined_functions_are_others_or_none(string version, string sections)
    {
        string program = Compile("g++", "two-deadlocks.cpp", $"{Cpp}-O2 -pthread {version}");
        byte[] whole = File.ReadAllBytes(program);
        using FileBytes intact = FileBytes.Wrap(whole);
        (int Start, int Length)[] parts = [.. sections.Split(' ').Select(n => Place(whole, intact, n))];
        ulong[] addresses = [.. Addresses(program).Where((_, i) => i % 16 == 0)];
        Random random = new(44);
        for (int i = 0; i < 300; i++)
        {
            byte[] damaged = [.. whole];
            for (int changes = random.Next(1, 20); changes > 0; changes--)
            {
                (int start, int length) = parts[random.Next(parts.Length)];
                damaged[start + random.Next(random.Next(2) == 0 ? Math.Min(64, length) : length)] = (byte)random.Next(256);
            }

            using FileBytes file = FileBytes.Wrap(damaged);
            if (DwarfLines.Read(file) is { } lines)
            {
                Assert.All(addresses, a => Assert.True(lines.Place(a) is { Inlined.Length: <= 8, Source: null or { Line: > 0, File.Length: <= 2_100 } }));
            }
        }
    }

    /// <summary>What the third tool has; where it is not there, what nothing equals.</summary>
    private static string?[] Third(string program, ulong[] addresses) => addresses.Length == 0 || !File.Exists(ThirdAddr2Line)
        ? [.. addresses.Select(_ => "not installed")]
        : [.. Run(ThirdAddr2Line, ["-e", program], string.Concat(addresses.Select(a => $"0x{a:x}\n"))).Split('\n').Select(Normal)];

    /// <summary>Debug data packed by zstd are those of zlib and of none, byte for byte; damaged ones are nothing, or other bytes of the same length.</summary>
    [SkippableFact]
    public void Sections_packed_by_zstd_are_unpacked()
    {
        string program = Compile("gcc", "musl-hang.c", "-O2 -gdwarf-5"), packed = Path.Combine(_directory, "packed");
        using Process packing = Process.Start(
            new ProcessStartInfo("objcopy", ["--compress-debug-sections=zstd", program, packed]) { RedirectStandardError = true })!;
        string error = packing.StandardError.ReadToEnd();
        packing.WaitForExit();
        Skip.If(packing.ExitCode != 0, $"objcopy of this machine packs nothing by zstd: {error}");
        byte[] whole = File.ReadAllBytes(packed);
        using FileBytes plain = FileBytes.Open(program), file = FileBytes.Wrap(whole);
        string[] names = [".debug_line", ".debug_info", ".debug_abbrev", ".debug_str"];
        Assert.All(names, n => Assert.Equal(ElfDebugSection.Read(plain, n), ElfDebugSection.Read(file, n)));
        long at = whole.AsSpan().IndexOf(Zstd);
        Assert.True(at > 0, "nothing is packed by zstd");
        Random random = new(19);
        for (int i = 0; i < 2_000; i++)
        {
            byte[] damaged = [.. whole];
            for (int changes = random.Next(1, 6); changes > 0; changes--)
            {
                damaged[at - CompressionHeader + random.Next(random.Next(2) == 0 ? 64 : 4_000)] = (byte)random.Next(256);
            }

            using FileBytes other = FileBytes.Wrap(damaged);
            Assert.All(names, n => Assert.True(ElfDebugSection.Read(other, n) is null or { Length: < 64 << 20 }));
        }
    }

    /// <summary>Bytes of all sections that lines are read from, changed at random: other lines or none, and an end.</summary>
    [SkippableFact]
    public void Damaged_lines_are_other_ones_or_none()
    {
        string program = Compile("gcc", "musl-hang.c", "-O2 -gdwarf-4");
        byte[] whole = File.ReadAllBytes(program);
        using FileBytes intact = FileBytes.Wrap(whole);
        (int Start, int Length)[] parts = [.. new[] { ".debug_line", ".debug_info", ".debug_abbrev", ".debug_str" }.Select(n => Place(whole, intact, n))];
        ulong[] addresses = [.. Addresses(program).Where((_, i) => i % 16 == 0)];
        Random random = new(19);
        for (int i = 0; i < 2_000; i++)
        {
            byte[] damaged = [.. whole];
            for (int changes = random.Next(1, 6); changes > 0; changes--)
            {
                (int start, int length) = parts[random.Next(parts.Length)];
                damaged[start + random.Next(random.Next(2) == 0 ? Math.Min(64, length) : length)] = (byte)random.Next(256);
            }

            using FileBytes file = FileBytes.Wrap(damaged);
            if (DwarfLines.Read(file) is { } lines)
            {
                Assert.All(addresses, a => Assert.True(lines.Find(a) is null or { Line: > 0, File.Length: > 0 and <= 2_100 }));
            }
        }
    }

    [Fact]
    public void File_without_debug_information_has_no_lines()
    {
        using FileBytes file = FileBytes.Wrap(new byte[100]);
        Assert.Null(DwarfLines.Read(file));
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    /// <summary>Where a section stands in a file; its bytes stand there only once.</summary>
    private static (int Start, int Length) Place(byte[] whole, FileBytes file, string name)
    {
        byte[] section = ElfDebugSection.Read(file, name)!;
        return (whole.AsSpan().IndexOf(section), section.Length);
    }

    private static string? Text(SourceLocation? line) => line is null ? null : $"{Path.GetFullPath(line.File)}:{line.Line}";

    /// <summary>Without what they say of branches and columns, and of line 0; the paths have the directories between as compilers write them.</summary>
    private static string? Normal(string line)
    {
        string plain = line.Split(" (discriminator", 2)[0];
        string[] parts = plain.Split(':');
        plain = parts.Length == 3 ? $"{parts[0]}:{parts[1]}" : plain;
        int colon = plain.LastIndexOf(':');
        return colon < 0 || !int.TryParse(plain[(colon + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out int number) || number == 0 ? null
            : $"{Path.GetFullPath(plain[..colon])}:{number}";
    }

    /// <summary>So many of them, from all functions: the tools take milliseconds for each.</summary>
    private static ulong[] Spread(ulong[] addresses, int most) =>
        addresses.Length <= most ? addresses : [.. Enumerable.Range(0, most).Select(i => addresses[(long)i * addresses.Length / most])];

    /// <summary>Every third byte of all functions of the program's own code.</summary>
    private static ulong[] Addresses(string program) =>
    [
        .. Run("/usr/bin/nm", ["--print-size", "--defined-only", program], "").Split('\n').Select(l => l.Split(' '))
            .Where(l => l is [_, _, "t" or "T" or "W", ..])
            .Select(l => (Begin: ulong.Parse(l[0], NumberStyles.HexNumber, CultureInfo.InvariantCulture),
                Size: ulong.Parse(l[1], NumberStyles.HexNumber, CultureInfo.InvariantCulture)))
            .Distinct().Take(2_000).SelectMany(f => Enumerable.Range(0, (int)Math.Min(f.Size, 6_000)).Where(i => i % 3 == 0).Select(i => f.Begin + (ulong)i)),
    ];

    private string Compile(string compiler, string source, string options)
    {
        string target = Path.Combine(_directory, "program");
        string[] libraries = compiler == "rustc" ? [] : ["-pthread", "-ldl"];
        try
        {
            using Process process = Process.Start(compiler,
                [.. options.Split(' '), Path.Combine(Repository.Root, "samples", "linux", source), "-o", target, .. libraries]);
            Assert.True(process.WaitForExit(s_limit) && process.ExitCode == 0);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Skip.If(true, $"needs {compiler}");
        }

        return target;
    }

    private static string Run(string program, string[] arguments, string input)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardInput = true, RedirectStandardOutput = true })!;
        Task writing = Task.Run(() =>
        {
            process.StandardInput.Write(input);
            process.StandardInput.Close();
        });
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        writing.GetAwaiter().GetResult();
        return output;
    }
}
