using Dump.Readers.Registers;

namespace Dump.Readers.Unwinding.X86;

/// <summary>How a function returns from where a frame stands, as its instructions show.</summary>
/// <param name="AtReturn">The registers at the return: ESP is where the return address stands.</param>
/// <param name="Popped">Bytes that the return takes off the stack besides the return address.</param>
internal sealed record X86ReturnPath(X86CodeState AtReturn, int Popped)
{
    /// <summary>
    /// True when every instruction up to the return is certain to run next: there is no call and no branch among them that may go either way.
    /// </summary>
    public bool IsCertain => AtReturn.IsCertain;

    /// <summary>True when the way leads by a pointer that the function keeps to its frame, so that calls on the way cannot have moved it.</summary>
    public bool IsByFrame => AtReturn[X86Register.Esp] is { IsKnown: true, Base: not X86Register.Esp };
}
