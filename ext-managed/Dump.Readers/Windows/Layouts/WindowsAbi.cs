using Dump.Model.Process;

namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// What decides where a structure has its fields: the size of an address and the version of Windows. Each layout asks it once for each
/// of its fields. An offset that has moved is written newest first: <c>abi.Offset(..., since: ...) ?? abi.Offset(...)</c>.
/// </summary>
internal sealed record WindowsAbi
{
    /// <summary>Size of an address in bytes: 4 or 8.</summary>
    public required int PointerSize { get; init; }

    /// <summary>True under Wine, whose own version is not recorded: <see cref="Version"/> is then that of the Windows it pretends to be.</summary>
    public required bool IsWine { get; init; }

    /// <summary>The version of Windows with the number of its build, for example 10.0.19045; 0.0.0 where the dump does not tell.</summary>
    public required Version Version { get; init; }

    /// <summary>That of one side of a process.</summary>
    /// <param name="system">The system, with the architecture of the side.</param>
    public static WindowsAbi Of(SystemDescription system) => new()
    {
        PointerSize = system.Architecture.PointerSize(),
        IsWine = system.IsWine,
        Version = new Version(Part(system.MajorVersion), Part(system.MinorVersion), Part(system.Build)),
    };

    /// <summary>An offset that holds in every version that is read, and under Wine.</summary>
    /// <param name="x64">For addresses of 8 bytes.</param>
    /// <param name="x86">For addresses of 4 bytes.</param>
    public int Offset(int x64, int x86) => PointerSize == sizeof(uint) ? x86 : x64;

    /// <summary>An offset that holds from a version on.</summary>
    /// <param name="x64">For addresses of 8 bytes.</param>
    /// <param name="x86">For addresses of 4 bytes.</param>
    /// <param name="since">The first version.</param>
    /// <param name="inWine">Whether it holds under Wine too.</param>
    /// <returns>The offset, or null where the version is older or not known.</returns>
    public int? Offset(int x64, int x86, Version since, bool inWine = false) => Holds(since, inWine) ? Offset(x64, x86) : null;

    /// <summary>A bit that has its meaning from a version on, and none under Wine.</summary>
    /// <param name="number">Its number, from 0.</param>
    /// <param name="since">The first version.</param>
    /// <returns>The bit as a mask, or null where the version is older or not known.</returns>
    public ushort? Bit(int number, Version since) => Holds(since, inWine: false) ? (ushort)(1 << number) : null;

    private bool Holds(Version since, bool inWine) => IsWine ? inWine : Version >= since;

    private static int Part(uint number) => (int)Math.Min(number, int.MaxValue);
}
