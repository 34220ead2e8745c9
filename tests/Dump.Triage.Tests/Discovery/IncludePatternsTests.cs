using Dump.Triage.Discovery;

namespace Dump.Triage.Tests.Discovery;

/// <summary>Patterns for paths.</summary>
public sealed class IncludePatternsTests
{
    [Theory]
    [InlineData("*.dmp", "a/b/hang.DMP", true)]
    [InlineData("*.dmp", "hang.dmp.gz", false)]
    [InlineData("a/*.dmp", "a/hang.dmp", true)]
    [InlineData("a/*.dmp", "a/b/hang.dmp", false)]
    [InlineData("a/**/*.dmp", "a/hang.dmp", true)]
    [InlineData("a/**/*.dmp", "a/b/c/hang.dmp", true)]
    [InlineData("**/b/*", "a/b/hang", true)]
    [InlineData("a/**", "a/b/c", true)]
    [InlineData("h?ng[1].dmp", "hang[1].dmp", true)]
    [InlineData("h?ng[1].dmp", "hang1.dmp", false)]
    public void Path_matches(string pattern, string path, bool expected) => Assert.Equal(expected, new IncludePatterns([pattern]).Match(path));

    [Fact]
    public void No_pattern_matches_all() => Assert.True(new IncludePatterns([]).Match("a/b"));
}
