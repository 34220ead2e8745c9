using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Unwinding.Arm64;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Unwinding.X64;
using Dump.Readers.Unwinding.X86;

namespace Dump.Readers.Unwinding;

/// <summary>The walkers by architecture.</summary>
public static class StackWalkers
{
    /// <summary>True when stacks of the architecture are walked.</summary>
    public static bool IsKnown(ProcessorArchitecture architecture) =>
        architecture is ProcessorArchitecture.X64 or ProcessorArchitecture.Arm64 or ProcessorArchitecture.X86;

    /// <summary>The walker of an architecture, or null when its stacks are not walked.</summary>
    /// <param name="architecture">The architecture of the code.</param>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="images">Their images.</param>
    /// <param name="limits">Limits; null for the defaults.</param>
    /// <param name="dynamicFunctions">Functions outside of modules; null for none.</param>
    /// <param name="frameDescriptions">Frame data of PDB files, for 32-bit x86; null for none.</param>
    public static IStackWalker? Create(
        ProcessorArchitecture architecture, IMemory memory, IModuleMap modules, PeImages images, ReadLimits? limits = null,
        IDynamicFunctions? dynamicFunctions = null,
        IFrameDescriptions? frameDescriptions = null) => architecture switch
        {
            ProcessorArchitecture.X64 => new X64StackWalker(memory, modules, images, limits, dynamicFunctions),
            ProcessorArchitecture.X86 => new X86StackWalker(memory, modules, images, limits, frameDescriptions),
            ProcessorArchitecture.Arm64 => new Arm64StackWalker(memory, modules, images, limits, dynamicFunctions),
            _ => null,
        };
}
