using System.Globalization;
using Dump.Model.Text;
using Dump.Model.Waits;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>
/// The state of a <c>ReaderWriterLockSlim</c>: field <c>_owners</c>, bit 31 a writer holds it, bit 30 writers wait, bit 29 an upgrading reader waits, bits 0 to
/// 27 the number of readers, an upgradeable one included (dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Threading/ReaderWriterLockSlim.cs,
/// TryEnterReadLockCore, TryEnterUpgradeableReadLockCore).
/// </summary>
/// <param name="Owners">The field.</param>
/// <param name="HasUpgrader">True when a thread holds the lock upgradeably.</param>
internal readonly record struct ReaderWriterLockState(uint Owners, bool HasUpgrader)
{
    private const uint WriterHolds = 0x8000_0000;
    private const uint WritersWait = 0x4000_0000;
    private const uint UpgraderWaits = 0x2000_0000;
    private const uint Readers = 0x0FFF_FFFF;
    private const int Nobody = -1;

    /// <summary>Reads it; null when a field cannot be read.</summary>
    public static ReaderWriterLockState? Of(ClrObject target) =>
        target.TryReadField("_owners", out uint owners) && target.TryReadField("_upgradeLockOwnerId", out int upgrader)
            ? new ReaderWriterLockState(owners, upgrader != Nobody)
            : null;

    /// <summary>The state of a lock that stores it in other bits.</summary>
    public static ReaderWriterLockState Made(int readers, bool writerHolds, bool writersWait) =>
        new((uint)readers | (writerHolds ? WriterHolds : 0) | (writersWait ? WritersWait : 0), HasUpgrader: false);

    /// <summary>Who is inside, in words; null where nobody is. A reader whose thread has ended is unknown: its thread's list of read locks is gone.</summary>
    /// <param name="known">Read locks that live threads are known to have; one that reads upgradeably is known by the lock itself.</param>
    public string? Words(long known)
    {
        long readers = Owners & Readers, unknown = readers - known - (HasUpgrader ? 1 : 0);
        return (Owners & WriterHolds) != 0 ? "held to write"
            : readers == 0 ? null
            : unknown == readers ? $"held by {CountText.Grouped(readers, "unknown reader")}"
            : $"held by {CountText.Grouped(readers, "reader")}{(unknown <= 0 ? "" : string.Create(CultureInfo.InvariantCulture, $", {unknown:N0} of them unknown"))}";
    }

    /// <summary>
    /// True when every holder keeps a thread out that wants to enter in a mode; false when some or all do not, or only until a waiting writer gives up.
    /// </summary>
    /// <param name="mode">How it wants to enter.</param>
    /// <param name="writersLimits">Time limits of the threads that wait to write.</param>
    public bool KeepsOut(ReaderWriterLockMode mode, IEnumerable<WaitTimeout> writersLimits) => mode switch
    {
        ReaderWriterLockMode.Write => true,
        _ when (Owners & WriterHolds) != 0 => true,
        _ when (Owners & (WritersWait | UpgraderWaits)) != 0 && writersLimits.Contains(WaitTimeout.Infinite) => true,
        ReaderWriterLockMode.Read => false,
        _ => HasUpgrader && (Owners & Readers) <= 1,
    };
}

/// <summary>How a thread wants to enter a <c>ReaderWriterLockSlim</c>, which decides whom it waits for.</summary>
internal enum ReaderWriterLockMode
{
    /// <summary>To write: every holder keeps it out.</summary>
    Write,

    /// <summary>To read: a writer keeps it out, and a writer that waits.</summary>
    Read,

    /// <summary>
    /// To read and perhaps write later: a writer keeps it out, one that waits too, and another such reader; a plain reader by itself does not.
    /// </summary>
    UpgradeableRead,
}
