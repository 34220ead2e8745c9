namespace Dump.Readers.Unwinding.X86;

/// <summary>Frame data of PDB files, by address. Safe for concurrent use.</summary>
public interface IFrameDescriptions
{
    /// <summary>The description of the code at an address, or null when there is none.</summary>
    FrameDescription? Find(uint address);
}
