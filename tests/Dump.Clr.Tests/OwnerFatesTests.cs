using Dump.Clr.Locks;

namespace Dump.Clr.Tests;

/// <summary>An owner that a damaged dump does not show is not an owner that has ended: an orphaned lock is claimed only of the latter.</summary>
public sealed class OwnerFatesTests
{
    [Theory]
    [InlineData(true, true, false, false, OwnerFate.Alive)]
    [InlineData(true, false, false, false, OwnerFate.Ended)]
    [InlineData(false, false, false, true, OwnerFate.Ended)]
    [InlineData(false, false, false, false, OwnerFate.Unknown)]
    [InlineData(false, false, true, true, OwnerFate.Unknown)]
    [InlineData(false, false, true, false, OwnerFate.Unknown)]
    internal void Thread_has_ended_only_where_the_list_says_so_or_is_whole(bool isListed, bool isAlive, bool systemListsIt, bool listIsWhole,
        OwnerFate expected) =>
        Assert.Equal(expected, OwnerFates.Of(isListed, isAlive, systemListsIt, () => listIsWhole));

    [Theory]
    [InlineData(new ulong[] { 0x10, 0x20, 0x30 }, true)]
    [InlineData(new ulong[] { 0x10, 0 }, true)]
    [InlineData(new ulong[] { 0x10, 0x40 }, false)]
    [InlineData(new ulong[] { 0 }, false)]
    [InlineData(new ulong[0], false)]
    public void List_is_whole_when_it_has_every_record_that_an_object_names(ulong[] named, bool expected) =>
        Assert.Equal(expected, OwnerFates.IsWhole(new HashSet<ulong> { 0x10, 0x20, 0x30 }, named));
}
