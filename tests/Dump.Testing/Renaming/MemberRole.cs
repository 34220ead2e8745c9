namespace Dump.Testing.Renaming;

/// <summary>What a number of the model stands for, and so what becomes of it when a process is renamed.</summary>
public enum MemberRole
{
    /// <summary>A quantity, an index, an offset, an opaque value: it stays.</summary>
    Plain,

    /// <summary>The operating system's id of a thread; 0 stands for none.</summary>
    Thread,

    /// <summary>The id of the process, which on Linux is that of its first thread.</summary>
    Process,

    /// <summary>The content of a memory word, which may be the id of a thread.</summary>
    Word,

    /// <summary>The position of a thread in the list.</summary>
    Position,

    /// <summary>An address; what is below 64 KiB is a handle or a mark and stays.</summary>
    Address,

    /// <summary>What identifies a resource: a thread id for the end of a thread, else an address or a handle.</summary>
    Identity,
}
