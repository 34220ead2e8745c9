using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>
/// Two dumps of an owner that stands in the same sleep with the same waiters: the count of waits in the section's debug block says whether it has stood or come
/// back. A damaged block says nothing.
/// </summary>
public sealed class ContentionCountTests
{
    private const uint Owner = 0x20;
    private const int Waiters = 3;
    private const ulong Block = 0x5550_0000;
    private const int SecondsApart = 9;

    [Theory]
    [InlineData(7u, 7u, "DUMP1005 Likely")]
    [InlineData(7u, 8u, "")]
    [InlineData(uint.MaxValue, 0u, "")]
    [InlineData(8u, 7u, "")]
    public void Count_of_waits_tells_whether_the_lock_has_passed_on(uint before, uint after, string expected) =>
        Assert.Equal(expected, Judge(Process(Block, s => Whole(s, before)), Process(Block, s => Whole(s, after))));

    /// <summary>
    /// The list that the block hangs in may be anything. Without a block the count is unknown; one that belongs to another section makes this one doubtful, and
    /// nobody is accused.
    /// </summary>
    [Theory]
    [InlineData("a list into itself", "")]
    [InlineData("a list to nowhere", "")]
    [InlineData("cut off before the count", "DUMP1005 Likely")]
    [InlineData("of another section", "")]
    [InlineData("of a wrong type", "")]
    public void Damaged_block_hinders_nothing(string how, string expected)
    {
        byte[] Of(ulong section, uint count) => how switch
        {
            "a list into itself" => With(Whole(section, count), 0x10, Block + 0x18, Block + 0x18),
            "a list to nowhere" => With(Whole(section, count), 0x10, ulong.MaxValue - 7, 8),
            "cut off before the count" => Whole(section, count)[..0x20],
            "of another section" => Whole(section + 0x28, count),
            _ => With(Whole(section, count), 0, ulong.MaxValue),
        };
        Assert.Equal(expected, Judge(Process(Block, s => Of(s, 7)), Process(Block, s => Of(s, 900))));
    }

    [Theory]
    [InlineData(ulong.MaxValue, "DUMP1005 Likely")]
    [InlineData(ulong.MaxValue - 0x23, "")]
    [InlineData(ulong.MaxValue - 0x20, "")]
    [InlineData(Block, "")]
    [InlineData(null, "")]
    public void Block_without_memory_or_the_section_itself_in_its_place(ulong? block, string expected) =>
        Assert.Equal(expected, Judge(Process(block, null), Process(block, null)));

    private static string Judge(FakeProcess first, FakeProcess second)
    {
        second.SecondsLater = SecondsApart;
        ProcessSnapshot[] both = [.. new[] { first, second }.Select(SyntheticAnalysis.ReadDamaged)];
        PairResult result = PairAnalysis.Run(SnapshotPair.Create(both[0], both[1], out _)!);
        Assert.DoesNotContain(result.Result.Outcomes, o => o.Kind == DetectorOutcomeKind.Failed);
        return string.Join(", ", result.Result.Verdicts.Select(v => $"{v.DetectorId} {v.Confidence}"));
    }

    /// <summary>The owner sleeps, and three threads wait for its section.</summary>
    /// <param name="address">Address of the section's debug block, or null for the section's own.</param>
    /// <param name="block">Makes the block of a section; null for no memory at its address.</param>
    private static FakeProcess Process(ulong? address, Func<ulong, byte[]>? block)
    {
        CriticalSectionScene scene = new();
        ulong section = scene.Section(Owner, Waiters);
        scene.SetDebugInfo(section, address ?? section);
        if (block is not null)
        {
            scene.Process.MoreMemory[Block] = block(section);
        }

        scene.Sleeper(Owner);
        for (uint i = 1; i <= Waiters; i++)
        {
            scene.Waiter(Owner + (4 * i), section, LockTrace.Argument);
        }

        return scene.Process;
    }

    /// <summary>A block that is linked with itself alone.</summary>
    private static byte[] Whole(ulong section, uint count) => With(new byte[0x30], 0, 0, section, Block + 0x10, Block + 0x10, (ulong)count << 32);

    private static byte[] With(byte[] bytes, int offset, params ulong[] values)
    {
        values.SelectMany(BitConverter.GetBytes).ToArray().CopyTo(bytes, offset);
        return bytes;
    }
}
