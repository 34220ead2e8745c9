using Dump.Readers.Registers;
using Iced.Intel;

namespace Dump.Readers.Unwinding.X86;

/// <summary>
/// Follows a function's instructions from where a frame stands to its return, and so finds where the return address and
/// the saved registers are: 32-bit images have no unwind information, but the code itself must undo what it did to the
/// stack. Calls on the way are passed by what the called function takes off the stack. Not safe for concurrent use.
/// </summary>
/// <param name="code">Decodes instructions.</param>
/// <param name="targets">Resolves calls.</param>
internal sealed class X86CodeFollower(X86CodeReader code, X86CallTarget targets)
{
    private const int MaximumInstructions = 1500;
    private const int MaximumRemembered = 100_000;
    private readonly Dictionary<uint, X86ReturnPath?> _paths = [];
    private readonly Dictionary<uint, int?> _popped = [];

    /// <summary>How the function returns from an address; null when its code does not show it.</summary>
    /// <param name="eip">Where the frame goes on.</param>
    public X86ReturnPath? PathFrom(uint eip)
    {
        if (!_paths.TryGetValue(eip, out X86ReturnPath? path))
        {
            path = Follow(eip);
            Remember(_paths, eip, path);
        }

        return path;
    }

    /// <summary>Bytes of arguments that a function takes off the stack when it returns; null when its code does not show it.</summary>
    /// <param name="address">An address in the function.</param>
    public int? PoppedBy(uint address)
    {
        if (!_popped.TryGetValue(address, out int? popped))
        {
            popped = FindReturn(address);
            Remember(_popped, address, popped);
        }

        return popped;
    }

    private static void Remember<TKey, TValue>(Dictionary<TKey, TValue> known, TKey key, TValue value) where TKey : notnull
    {
        if (known.Count < MaximumRemembered)
        {
            known.Add(key, value);
        }
    }

    private X86ReturnPath? Follow(uint start)
    {
        Queue<(uint Address, X86CodeState State)> open = new([(start, new X86CodeState())]);
        HashSet<uint> seen = [];
        while (open.TryDequeue(out (uint Address, X86CodeState State) next) && seen.Count < MaximumInstructions)
        {
            if (!seen.Add(next.Address) || !code.TryDecode(next.Address, out Instruction instruction))
            {
                continue;
            }

            X86CodeState state = next.State;
            switch (instruction.FlowControl)
            {
                case FlowControl.Return when instruction.Mnemonic == Mnemonic.Ret && state[X86Register.Esp].IsKnown:
                    return new X86ReturnPath(state, instruction.OpCount == 0 ? 0 : instruction.Immediate16);
                case FlowControl.Next:
                    state.Apply(instruction);
                    open.Enqueue((instruction.NextIP32, state));
                    break;
                case FlowControl.Call or FlowControl.IndirectCall:
                    // A call of the next instruction pushes its address, nothing more.
                    state.PassCall(instruction.Op0Kind == OpKind.NearBranch32 && instruction.NearBranch32 == instruction.NextIP32 ? -sizeof(uint)
                        : targets.Of(instruction) is { } called ? PoppedBy(called) : null);
                    open.Enqueue((instruction.NextIP32, state));
                    break;
                default:
                    foreach (uint target in Branches(instruction))
                    {
                        state.IsCertain &= instruction.FlowControl != FlowControl.ConditionalBranch;
                        open.Enqueue((target, state));
                    }

                    break;
            }
        }

        return null;
    }

    private int? FindReturn(uint start)
    {
        Queue<uint> open = new([start]);
        HashSet<uint> seen = [];
        while (open.TryDequeue(out uint address) && seen.Count < MaximumInstructions)
        {
            if (!seen.Add(address) || !code.TryDecode(address, out Instruction instruction))
            {
                continue;
            }

            if (instruction.Mnemonic == Mnemonic.Ret)
            {
                return instruction.OpCount == 0 ? 0 : instruction.Immediate16;
            }

            bool goesOn = instruction.FlowControl is FlowControl.Next or FlowControl.Call or FlowControl.IndirectCall;
            foreach (uint next in goesOn ? [instruction.NextIP32] : Branches(instruction))
            {
                open.Enqueue(next);
            }
        }

        return null;
    }

    /// <summary>Where a branch may lead to: first the next instruction.</summary>
    private IEnumerable<uint> Branches(Instruction instruction) => instruction.FlowControl switch
    {
        FlowControl.ConditionalBranch => [instruction.NextIP32, instruction.NearBranch32],
        FlowControl.UnconditionalBranch or FlowControl.IndirectBranch when targets.Of(instruction) is { } target => [target],
        _ => [],
    };
}

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
