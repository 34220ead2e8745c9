using Dump.Model.Process;
using Dump.Readers;

namespace Dump.Fuzz.Processes;

/// <summary>A process of one module, whose bytes are any.</summary>
/// <param name="bytes">The module's bytes.</param>
/// <param name="address">Where they stand.</param>
internal sealed class PlacedImage(byte[] bytes, ulong address) : IMemory, IModuleMap
{
    /// <summary>The module.</summary>
    public ModuleSnapshot Module { get; } = new("a.dll", "a.dll", address, (uint)bytes.Length, 0, null, null);

    public IReadOnlyList<ModuleSnapshot> Modules => [Module];

    public ModuleSnapshot? Find(ulong place) => Module.Contains(place) ? Module : null;

    public int Read(ulong place, Span<byte> destination) => PlacedBytes.Copy(bytes, address, place, destination);
}
