using Dump.Model.Waits;

namespace Dump.Testing.Renaming;

/// <summary>What becomes of the numbers and texts of a model.</summary>
public interface IRenaming
{
    /// <summary>The new id of a thread.</summary>
    uint Thread(uint id);

    /// <summary>The new id of the process.</summary>
    uint Process(uint id);

    /// <summary>The new content of a memory word.</summary>
    ulong Word(ulong value);

    /// <summary>The new address.</summary>
    ulong Address(ulong address);

    /// <summary>The new words.</summary>
    string Text(string text);

    /// <summary>The new identity of a resource of a kind. Window handles stay: a dump's comment names them too; so do file descriptors.</summary>
    ulong Identity(ResourceKind kind, ulong identity) => kind switch
    {
        ResourceKind.Thread => Thread((uint)identity),
        ResourceKind.WindowMessage or ResourceKind.FileDescriptor or ResourceKind.FileLock => identity,
        ResourceKind.ChildProcess => Process((uint)identity),
        _ => Address(identity),
    };
}
