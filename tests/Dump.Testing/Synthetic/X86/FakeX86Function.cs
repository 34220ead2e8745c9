namespace Dump.Testing.Synthetic.X86;

/// <summary>A function of a <see cref="FakeX86Image"/>.</summary>
/// <param name="Image">The image it belongs to.</param>
/// <param name="Name">Its name.</param>
/// <param name="IsExported">True when the export table names it.</param>
/// <param name="Rva">Where it begins.</param>
/// <param name="ReturnOffset">Offset of the instruction behind its call.</param>
/// <param name="Arguments">Words that it takes off the stack.</param>
/// <param name="IsStub">True for a system-call stub, which has no frame.</param>
/// <param name="Code">Its code.</param>
public sealed record FakeX86Function(FakeX86Image Image, string Name, bool IsExported, int Rva, int ReturnOffset, int Arguments, bool IsStub, byte[] Code)
{
    /// <summary>The address that stands on the stack, or in the instruction pointer, of a thread inside it.</summary>
    public uint Address => Image.BaseAddress + (uint)(Rva + ReturnOffset);
}
