using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Unwinding.X86;

/// <summary>The way from a frame of 32-bit code to its caller by the frame data of a PDB.</summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="descriptions">The frame data; null for none.</param>
/// <param name="mayBeReturnAddress">False when an address is surely no return address.</param>
/// <param name="poppedBy">Bytes of arguments that a function takes off the stack, where its code shows it.</param>
internal sealed class X86FrameDescriptions(IMemory memory, IFrameDescriptions? descriptions, Func<uint, bool> mayBeReturnAddress, Func<uint, int?> poppedBy)
{
    // What a function keeps besides its locals and saved registers: room for arguments, alignment.
    private const int NearbySlots = 16;

    /// <summary>
    /// The caller, or null when nothing describes the code or the description leads to no return address. Zero as a return address is passed on.
    /// </summary>
    public (X86Registers Caller, FrameTrust Trust)? Step(in X86Registers frame, bool isInnermost, StackBounds? bounds)
    {
        if (descriptions?.Find(isInnermost ? frame.Eip : frame.Eip - 1) is not { } description)
        {
            return null;
        }

        // A zero ends a stack, but may also be an argument that stands where the return address was looked for.
        (X86Registers, FrameTrust)? end = null;
        foreach ((uint search, bool isExact) in Searches(frame, description))
        {
            Dictionary<string, uint> variables = Variables(frame, description, search);
            if (FrameProgram.TryRun(description.Program ?? Program(description), variables, memory)
                && Caller(variables, frame, bounds, description) is { } caller)
            {
                (X86Registers, FrameTrust) found = (caller, isExact ? FrameTrust.UnwindInfo : FrameTrust.Scan);
                if (caller.Eip != 0)
                {
                    return found;
                }

                end ??= isExact ? found : null;
            }

            // Only a program that begins from the stack pointer can come out differently.
            if (description.Program?.Contains(".raSearch", StringComparison.Ordinal) == false || (description.Program is null && description.UsesFramePointer))
            {
                break;
            }
        }

        return end;
    }

    /// <summary>
    /// Where the return address may stand: above the arguments of the call that the frame made, its locals
    /// and saved registers; without the arguments when they are gone; last, shortly above.
    /// </summary>
    private static IEnumerable<(uint Place, bool IsExact)> Searches(X86Registers frame, FrameDescription description)
    {
        uint kept = unchecked(frame.ArgumentBase + description.LocalBytes + description.SavedRegisterBytes);
        yield return (unchecked(kept + frame.ArgumentBytes), true);
        for (int i = 0; i < NearbySlots; i++)
        {
            yield return (unchecked(kept + (uint)(i * sizeof(uint))), false);
        }
    }

    /// <summary>What the old form means, as a program.</summary>
    private static string Program(FrameDescription description) => description.UsesFramePointer
        ? "$T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + ="
        : "$T0 .raSearchStart = $eip $T0 ^ = $esp $T0 4 + =";

    private static Dictionary<string, uint> Variables(in X86Registers frame, FrameDescription description, uint search)
    {
        Dictionary<string, uint> variables = new(StringComparer.Ordinal)
        {
            [".cbLocals"] = description.LocalBytes,
            [".cbParams"] = description.ParameterBytes,
            [".cbSavedRegs"] = description.SavedRegisterBytes,
            [".raSearch"] = search,
            [".raSearchStart"] = search,
            ["$eip"] = frame.Eip,
            ["$esp"] = frame[X86Register.Esp] ?? frame.ArgumentBase,
        };
        foreach (X86Register register in X86Registers.NonvolatileRegisters)
        {
            if (frame[register] is { } value)
            {
                variables[Name(register)] = value;
            }
        }

        return variables;
    }

    private static string Name(X86Register register) => register switch
    {
        X86Register.Ebx => "$ebx",
        X86Register.Ebp => "$ebp",
        X86Register.Esi => "$esi",
        _ => "$edi",
    };

    private X86Registers? Caller(Dictionary<string, uint> variables, in X86Registers frame, StackBounds? bounds, FrameDescription description)
    {
        uint address = variables["$eip"];
        uint stack = variables["$esp"];
        if (stack <= frame.ArgumentBase || (bounds is { } known && stack - sizeof(uint) >= known.Base) || (address != 0 && !mayBeReturnAddress(address)))
        {
            return null;
        }

        X86Registers caller = X86Registers.At(address, stack);
        caller.ArgumentBytes = description.ParameterBytes;
        caller[X86Register.Esp] = poppedBy(frame.Eip) is { } popped ? unchecked(stack + (uint)popped) : null;
        foreach (X86Register register in X86Registers.NonvolatileRegisters)
        {
            caller[register] = variables.TryGetValue(Name(register), out uint value) ? value : null;
        }

        return caller;
    }
}
