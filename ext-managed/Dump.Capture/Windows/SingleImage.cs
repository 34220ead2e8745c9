using Dump.Model.Process;
using Dump.Readers;

namespace Dump.Capture.Windows;

/// <summary>A process of which one image is known.</summary>
/// <param name="image">The image.</param>
internal sealed class SingleImage(ModuleSnapshot image) : IModuleMap
{
    /// <inheritdoc/>
    public IReadOnlyList<ModuleSnapshot> Modules { get; } = [image];

    /// <inheritdoc/>
    public ModuleSnapshot? Find(ulong address) => image.Contains(address) ? image : null;
}
