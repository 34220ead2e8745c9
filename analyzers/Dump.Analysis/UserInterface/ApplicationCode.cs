using System.Collections.Frozen;
using Dump.Analysis.Knowledge;
using Dump.Model;

namespace Dump.Analysis.UserInterface;

/// <summary>Tells the program's own code from that of Windows, runtimes and user-interface frameworks.</summary>
internal sealed class ApplicationCode
{
    private readonly FrozenSet<string> _system;

    /// <summary>Of one snapshot.</summary>
    public ApplicationCode(ProcessSnapshot snapshot) =>
        _system = snapshot.Modules.Where(m => m.IsSystem == true).Select(m => m.Name).ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    /// <summary>True for a frame in a module that is none of these. A frame outside of all modules belongs to nobody.</summary>
    public bool Contains(StackFrame frame) =>
        frame is { Module: { } module, ModuleStem: { } stem } && !_system.Contains(module) && !FrameworkModules.Contains(stem);
}
