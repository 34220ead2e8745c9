using Dump.Model.Mangling;
using Dump.Readers.Tests.Symbols;

namespace Dump.Readers.Tests.Mangling;

/// <summary>The names in the C++ library of this machine against those that its binutils print.</summary>
public sealed class BinutilsComparisonTests
{
    private static readonly string[] s_places = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];

    [SkippableFact]
    public void All_names_of_the_standard_library_are_equal()
    {
        ExternalTool.Require("nm", "c++filt");
        string? library = s_places.Select(p => Path.Combine(p, "libstdc++.so.6")).FirstOrDefault(File.Exists);
        Skip.If(library is null, "libstdc++.so.6 is not where distributions have it");
        using TemporaryDirectory directory = new();
        string[] names =
        [
            .. ExternalTool.Run(directory.Path, "nm", $"-D --defined-only {library}").Split('\n').Select(l => l.Split(' ')[^1].Split('@')[0])
                .Where(n => n.StartsWith("_Z", StringComparison.Ordinal)).Distinct(StringComparer.Ordinal),
        ];
        Assert.InRange(names.Length, 3_000, 100_000);
        directory.Write("names", System.Text.Encoding.ASCII.GetBytes(string.Join('\n', names)));
        string[] expected = ExternalTool.Run(directory.Path, "c++filt", "-p -i @names").Split('\n');

        string[] different =
        [
            .. names.Zip(expected, (n, e) => (Name: n, Expected: e, Read: MangledNames.Readable(n, int.MaxValue))).Where(t => t.Read != t.Expected)
                .Select(t => $"{t.Name}: {t.Read ?? "none"} for {t.Expected}"),
        ];

        // With binutils 2.40 there are none; other versions print a few in another way.
        Assert.True(different.Length <= names.Length / 500, string.Join('\n', different.Take(20)));
    }
}
