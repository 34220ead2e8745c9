using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows;

/// <summary>Reads who made the modules that stand on stacks; nobody asks about the others.</summary>
internal sealed class ModuleVendors
{
    // A process has some hundred modules on its stacks; a damaged dump may claim any number.
    private const int MostModules = 1024;
    private readonly HashSet<string> _onStacks;
    private readonly PeImages _images;
    private int _read;

    /// <summary>Notes the modules of all stacks; nothing is read yet.</summary>
    public ModuleVendors(PeImages images, IEnumerable<WindowsThread> threads)
    {
        _images = images;
        _onStacks = new HashSet<string>(threads.SelectMany(t => t.Frames).Select(f => f.Module).OfType<string>(), StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>CompanyName of a module's version resource, or null.</summary>
    public string? Of(ModuleSnapshot module) =>
        _onStacks.Contains(module.Name) && _read++ < MostModules ? _images.Find(module)?.Company : null;
}
