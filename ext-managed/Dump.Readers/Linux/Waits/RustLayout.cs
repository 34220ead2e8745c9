namespace Dump.Readers.Linux.Waits;

/// <summary>
/// Words of the locks of Rust's standard library on Linux. Sources: rust library/std/src/sys/sync/mutex/futex.rs, rwlock/futex.rs, condvar/futex.rs, in 1.63
/// library/std/src/sys/unix/locks/futex.rs and futex_rwlock.rs. Checked on living programs of 1.63 and 1.95.
/// </summary>
internal static class RustLayout
{
    /// <summary>A mutex that is held and waited for.</summary>
    public const uint MutexContended = 2;

    /// <summary>The state of a reader-writer lock: the number of readers, or a value for a writer; above it that readers wait, and that writers do.</summary>
    public const uint ReadersMask = 0x3FFF_FFFF;
    public const uint HeldByWriter = 0x3FFF_FFFF;
    public const uint ReadersWait = 0x4000_0000;
    public const uint WritersWait = 0x8000_0000;

    /// <summary>Readers wait on the state, writers on the word behind it.</summary>
    public const int WriterNotice = 4;
}
