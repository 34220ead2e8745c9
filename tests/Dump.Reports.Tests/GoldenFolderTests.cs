using Dump.Testing;

namespace Dump.Reports.Tests;

/// <summary>The comparison with golden files can fail, and says where.</summary>
public sealed class GoldenFolderTests : IDisposable
{
    private readonly GoldenFolder _folder = new(Directory.CreateTempSubdirectory("golden").FullName);

    [Fact]
    public void The_first_line_that_differs_is_shown_with_both_texts()
    {
        string message = GoldenFolder.FirstDifference("a.txt", "one\ntwo\nthree\n", "one\n2\n3\n");
        Assert.Equal("Golden file a.txt, line 2:\nexpected: \"two\"\nactual:   \"2\"", message);
    }

    [Fact]
    public void A_text_that_ends_early_differs_where_it_ends() =>
        Assert.EndsWith("line 2:\nexpected: \"two\"\nactual:   (end of text)", GoldenFolder.FirstDifference("a.txt", "one\ntwo", "one"),
            StringComparison.Ordinal);

    [SkippableFact]
    public void A_missing_file_and_a_different_one_fail_and_an_equal_one_passes()
    {
        Skip.If(Environment.GetEnvironmentVariable(GoldenFolder.UpdateVariable) == "1", "golden files are being written");
        Assert.Contains("missing", Assert.Throws<GoldenMismatchException>(() => _folder.Compare("a.txt", "one\n")).Message, StringComparison.Ordinal);
        File.WriteAllText(Path.Combine(_folder.Path, "a.txt"), "one\n");
        _folder.Compare("a.txt", "one\n");
        Assert.Contains("line 1", Assert.Throws<GoldenMismatchException>(() => _folder.Compare("a.txt", "One\n")).Message, StringComparison.Ordinal);
        Assert.Equal(["a.txt"], _folder.Names);
    }

    public void Dispose() => Directory.Delete(_folder.Path, recursive: true);
}
