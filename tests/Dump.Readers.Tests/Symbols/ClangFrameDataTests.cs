using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Readers.Pe;
using Dump.Readers.Symbols.Pdb;
using Dump.Readers.Unwinding.X86;

namespace Dump.Readers.Tests.Symbols;

/// <summary>Frame data of 32-bit code that LLVM's compiler wrote, compared with what LLVM's own reader prints of them.</summary>
/// <remarks>The lab does not install these programs, see <see cref="ClangPdbTests"/>.</remarks>
public sealed partial class ClangFrameDataTests : IDisposable
{
    private const string Source = """
        static volatile int sink;
        __attribute__((noinline)) int inner(int x, int y) { sink = x; return x * 3 + y; }
        __attribute__((noinline)) int middle(int a, int b, int c)
        {
            int local[8];
            for (int i = 0; i < 8; i++) local[i] = inner(a + i, b);
            sink = local[b & 7] + c;
            return inner(local[a & 7], c) + b;
        }
        __declspec(dllexport) int __stdcall outer(int x, int y) { return middle(x, y, x + y) + inner(y, x); }
        int __stdcall DllMain(void *module, unsigned reason, void *reserved) { return 1; }
        """;

    private readonly TemporaryDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [SkippableFact]
    public void Frame_data_are_those_that_LLVM_prints()
    {
        PdbIdentity identity = Build();
        Match[] printed = [.. Lines().Matches(ExternalTool.Run(_directory.Path, "llvm-pdbutil", "dump --fpo f.pdb")).Cast<Match>()];
        Assert.True(printed.Length > 5, "LLVM printed no frame data");
        using PdbFile pdb = PdbFile.Open(Path.Combine(_directory.Path, "f.pdb"), identity, out string? reason) ?? throw new InvalidOperationException(reason);
        Assert.Equal(printed.Length, pdb.Frames.Count);

        // Entries of a function nest; each is the one that counts where it begins.
        Assert.All(printed, m => Assert.Equal(
            new FrameDescription(Number(m, 3), Number(m, 4), Number(m, 5), false, m.Groups[6].Value),
            pdb.Frames.Find(uint.Parse(m.Groups[1].Value, NumberStyles.HexNumber, CultureInfo.InvariantCulture))));
        Match last = printed[^1];
        uint end = uint.Parse(last.Groups[1].Value, NumberStyles.HexNumber, CultureInfo.InvariantCulture) + Number(last, 2);
        Assert.NotNull(pdb.Frames.Find(end - 1));
        Assert.Null(pdb.Frames.Find(end));
    }

    private PdbIdentity Build()
    {
        ExternalTool.Require("clang", "lld-link", "llvm-pdbutil");
        File.WriteAllText(Path.Combine(_directory.Path, "f.c"), Source);
        ExternalTool.Run(_directory.Path, "clang", "--target=i686-pc-windows-msvc -g -gcodeview -O2 -fomit-frame-pointer -c f.c -o f.o");
        ExternalTool.Run(_directory.Path, "lld-link", "/debug /dll /nodefaultlib /entry:DllMain /safeseh:no /out:f.dll /pdb:f.pdb f.o");
        using LibraryOnDisk library = new(_directory.Path, "f.dll");
        return library.Image.Pdb!;
    }

    private static uint Number(Match match, int group) => uint.Parse(match.Groups[group].Value, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^([0-9A-F]{8}) \|\s+(\d+) \|\s+(\d+) \|\s+(\d+) \|\s+\d+ \|\s+\d+ \|\s+(\d+) \|.*?\| (\$.*)$", RegexOptions.Multiline)]
    private static partial Regex Lines();
}
