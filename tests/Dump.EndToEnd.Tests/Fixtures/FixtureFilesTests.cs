using System.Text;
using System.Text.Json;
using Dump.Readers.Minidump;
using Dump.Testing;
using Dump.Testing.Fixtures;
using Xunit;

namespace Dump.EndToEnd.Tests.Fixtures;

/// <summary>The committed dumps, their recipes and their manifest belong together.</summary>
public sealed class FixtureFilesTests
{
    private const long LargestFolderBytes = 2_000_000;

    // Threads that had ended before the dump was written.
    private static readonly (string Fixture, string Role)[] Ended = [("cs-orphan", "ended-owner"), ("loader-exit-healthy", "exiting")];

    public static TheoryData<string> Names => [.. Fixture.All.Select(fixture => fixture.Name)];

    [Fact]
    public void Every_recipe_has_its_manifest_entry_and_its_dump_and_no_dump_lacks_a_recipe()
    {
        using var recipes = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(Fixture.Folder, "recipes.json")));
        var expected = recipes.RootElement.EnumerateArray().Select(recipe => recipe.Member("name").GetString()).ToList();

        Assert.Equal(expected, Fixture.All.Select(fixture => fixture.Name));
        Assert.Equal(
            expected.Select(name => name + ".dmp").Order(StringComparer.Ordinal),
            Directory.EnumerateFiles(Fixture.Folder, "*.dmp").Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void The_dumps_stay_small() =>
        Assert.InRange(Directory.EnumerateFiles(Fixture.Folder).Sum(file => new FileInfo(file).Length), 1, LargestFolderBytes);

    [Theory]
    [MemberData(nameof(Names))]
    public void The_manifest_names_the_threads_of_the_dump(string name)
    {
        var fixture = Fixture.Named(name);
        using var dump = MinidumpFile.Open(fixture.Path);
        var present = dump.Threads.Select(thread => thread.Id).ToHashSet();

        var living = fixture.Threads.Where(role => !Ended.Contains((name, role.Key)));
        Assert.All(living.SelectMany(role => role.Value), id => Assert.Contains(id, present));
        Assert.Equal(fixture.ProcessId, dump.MiscInfo?.ProcessId);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Suspend_counts_are_recorded_in_all_dumps_but_torn_ones(string name)
    {
        const uint Unrecorded = uint.MaxValue;
        const uint Most = 127;
        var fixture = Fixture.Named(name);
        using var dump = MinidumpFile.Open(fixture.Path);

        Assert.NotEmpty(dump.Threads);
        Assert.All(dump.Threads, thread => Assert.True(fixture.Torn ? thread.SuspendCount == Unrecorded : thread.SuspendCount <= Most,
            $"0x{thread.SuspendCount:x}"));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void No_dump_says_where_it_was_made(string name)
    {
        var content = File.ReadAllBytes(Fixture.Named(name).Path);

        Assert.All(
            new[] { "/home/", "/root", "/tmp", "\\work\\", "/work" },
            text =>
            {
                Assert.Equal(-1, content.AsSpan().IndexOf(Encoding.ASCII.GetBytes(text)));
                Assert.Equal(-1, content.AsSpan().IndexOf(Encoding.Unicode.GetBytes(text)));
            });
    }
}
