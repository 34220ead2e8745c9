namespace Dump.Testing.Synthetic;

/// <summary>A function of a <see cref="FakeImage"/>.</summary>
/// <param name="Image">The image it belongs to.</param>
/// <param name="Name">Its name.</param>
/// <param name="IsExported">True when the export table names it.</param>
/// <param name="Rva">Where it begins.</param>
/// <param name="ReturnOffset">Offset of the instruction behind its call, or behind the system call of a stub.</param>
/// <param name="Prolog">How it builds its frame; null for a system-call stub, a leaf without unwind information.</param>
public sealed record FakeFunction(FakeImage Image, string Name, bool IsExported, int Rva, int ReturnOffset, FakeProlog? Prolog)
{
    /// <summary>How it builds its frame on ARM64; null for x64 and for a leaf.</summary>
    public FakeArm64Prolog? Arm64 { get; init; }

    /// <summary>The address that stands on the stack, or in the instruction pointer, of a thread inside it.</summary>
    public ulong Address => Image.BaseAddress + (ulong)(Rva + ReturnOffset);

    /// <summary>Where it begins.</summary>
    public ulong Start => Image.BaseAddress + (ulong)Rva;
}
