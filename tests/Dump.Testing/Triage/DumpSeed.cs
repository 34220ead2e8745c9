using Dump.Testing.Fixtures;

namespace Dump.Testing.Triage;

/// <summary>A dump that a generated folder is made of.</summary>
/// <param name="Name">What it shows.</param>
/// <param name="Path">The file.</param>
/// <param name="Expectation">Id of the verdict that it must get, "none" when nothing hangs or nothing can be decided, null when nobody knows.</param>
public sealed record DumpSeed(string Name, string Path, string? Expectation)
{
    /// <summary>Expectation of a dump that must get no verdict.</summary>
    public const string NoVerdict = "none";

    // Dumps of other people, where they lie beside the repository.
    private static readonly string s_corpus = System.IO.Path.Combine(Repository.Root, "..", "shared", "corpus");

    /// <summary>The committed fixtures with their verdicts.</summary>
    public static IReadOnlyList<DumpSeed> Fixtures { get; } =
        [.. Fixture.All.Select(f => new DumpSeed(f.Name, f.Path, f.ExpectedVerdict is null or "DUMP9001" ? NoVerdict : f.ExpectedVerdict))];

    /// <summary>Windows minidumps of other people; none where they are absent.</summary>
    public static IReadOnlyList<DumpSeed> Corpus { get; } =
        [.. ((string[])["x64", "x86"]).Select(d => System.IO.Path.Combine(s_corpus, d)).Where(Directory.Exists)
            .SelectMany(d => Directory.EnumerateFiles(d, "*.dmp")).Order(StringComparer.Ordinal)
            .Select(f => new DumpSeed(System.IO.Path.GetFileNameWithoutExtension(f), f, null))];

    /// <summary>True for a Linux core, false for a minidump.</summary>
    public bool IsCore { get; } = StartsAsElf(Path);

    private static bool StartsAsElf(string path)
    {
        Span<byte> magic = stackalloc byte[4];
        using FileStream file = File.OpenRead(path);
        return file.ReadAtLeast(magic, magic.Length, throwOnEndOfStream: false) == magic.Length && magic.SequenceEqual("\u007FELF"u8);
    }
}
