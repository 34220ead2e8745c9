namespace Dump.Readers.Linux.Locks;

/// <summary>The C libraries of Linux whose threads and locks are known.</summary>
internal enum CLibrary
{
    /// <summary>None of them.</summary>
    Unknown,

    /// <summary>The GNU C library.</summary>
    Glibc,

    /// <summary>musl, of Alpine Linux and of static programs.</summary>
    Musl,
}
