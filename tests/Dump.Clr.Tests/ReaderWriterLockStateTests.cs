using Dump.Clr.Locks;
using Dump.Clr.Waits;
using Dump.Model.Waits;

namespace Dump.Clr.Tests;

/// <summary>
/// Whom the holders of a <c>ReaderWriterLockSlim</c> keep out. The lock itself tells: with readers inside and no writer about, every reader may enter.
/// </summary>
public sealed class ReaderWriterLockStateTests
{
    private const uint Held = 0x8000_0000;
    private const uint Waiting = 0x4000_0000;
    private const uint Upgrading = 0x2000_0000;

    [Theory]
    [InlineData(1, null, false)]
    [InlineData(0, null, false)]
    [InlineData(Held | 1, null, true)]
    [InlineData(Waiting | 1, WaitTimeout.Infinite, true)]
    [InlineData(Upgrading | 2, WaitTimeout.Infinite, true)]
    [InlineData(Waiting | 1, WaitTimeout.Finite, false)]
    [InlineData(Waiting | 1, WaitTimeout.Unknown, false)]
    [InlineData(Waiting | 1, null, false)]
    public void Reader_is_kept_out_by_writers_alone(uint owners, WaitTimeout? writer, bool expected) =>
        Assert.Equal(expected, new ReaderWriterLockState(owners, false).KeepsOut(ReaderWriterLockMode.Read, writer is { } limit ? [limit] : []));

    /// <summary>A reader whose thread has ended is in the lock's count and in no thread's list.</summary>
    [Theory]
    [InlineData(0, false, 0, null)]
    [InlineData(Held, false, 0, "held to write")]
    [InlineData(Waiting | 2, false, 2, "held by 2 readers")]
    [InlineData(1, true, 0, "held by 1 reader")]
    [InlineData(Waiting | 1, false, 0, "held by 1 unknown reader")]
    [InlineData(3, false, 0, "held by 3 unknown readers")]
    [InlineData(3, true, 1, "held by 3 readers, 1 of them unknown")]
    [InlineData(2, false, 5, "held by 2 readers")]
    public void State_says_who_is_inside(uint owners, bool hasUpgrader, long known, string? words) =>
        Assert.Equal(words, new ReaderWriterLockState(owners, hasUpgrader).Words(known));

    [Theory]
    [InlineData(1, true, WaitTimeout.Infinite, true)]
    [InlineData(2, true, WaitTimeout.Infinite, false)]
    [InlineData(1, false, WaitTimeout.Infinite, false)]
    [InlineData(Held, false, WaitTimeout.Infinite, true)]
    [InlineData(Waiting | 2, true, WaitTimeout.Infinite, true)]
    [InlineData(Waiting | 2, true, WaitTimeout.Finite, false)]
    public void Upgradeable_reader_is_not_kept_out_by_plain_ones(uint owners, bool hasUpgrader, WaitTimeout writer, bool expected) =>
        Assert.Equal(expected, new ReaderWriterLockState(owners, hasUpgrader).KeepsOut(ReaderWriterLockMode.UpgradeableRead, [writer]));

    [Theory]
    [InlineData(1)]
    [InlineData(Held)]
    public void Writer_is_kept_out_by_everybody(uint owners) => Assert.True(new ReaderWriterLockState(owners, false).KeepsOut(ReaderWriterLockMode.Write, []));

    [Theory]
    [InlineData("TryEnterReadLockCore", ReaderWriterLockMode.Read)]
    [InlineData("EnterUpgradeableReadLock", ReaderWriterLockMode.UpgradeableRead)]
    [InlineData("TryEnterWriteLockCore", ReaderWriterLockMode.Write)]
    [InlineData("WaitOnEvent", ReaderWriterLockMode.Write)]
    public void Mode_is_that_of_the_method(string method, object mode) => Assert.Equal(mode, ManagedWaitFunctions.ModeOf(method));
}
