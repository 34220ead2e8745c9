using Dump.Model.Process;

namespace Dump.Readers;

/// <summary>The modules of a process by address.</summary>
public interface IModuleMap
{
    /// <summary>All modules, ordered by base address.</summary>
    IReadOnlyList<ModuleSnapshot> Modules { get; }

    /// <summary>The module that contains an address, or null.</summary>
    ModuleSnapshot? Find(ulong address);
}
