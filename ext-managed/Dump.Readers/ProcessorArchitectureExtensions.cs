using Dump.Model.Process;

namespace Dump.Readers;

/// <summary>What the architecture of code says about its data.</summary>
public static class ProcessorArchitectureExtensions
{
    /// <summary>Size of an address in bytes: 4 or 8.</summary>
    public static int PointerSize(this ProcessorArchitecture architecture) =>
        architecture is ProcessorArchitecture.X86 or ProcessorArchitecture.Arm ? sizeof(uint) : sizeof(ulong);
}
