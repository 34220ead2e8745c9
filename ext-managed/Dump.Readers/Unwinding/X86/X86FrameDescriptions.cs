using Dump.Model;

namespace Dump.Readers.Unwinding.X86;

/// <summary>The way from a frame of 32-bit code to its caller by the frame data of a PDB.</summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="descriptions">The frame data; null for none.</param>
/// <param name="mayBeReturnAddress">False when an address is surely no return address.</param>
internal sealed class X86FrameDescriptions(IMemory memory, IFrameDescriptions? descriptions, Func<uint, bool> mayBeReturnAddress)
{
    // Arguments that the callee did or did not take off the stack stand between.
    private const uint NearbySlots = 16;

    /// <summary>The caller, or null when nothing describes the code or the description leads to no return address. Zero as a return address is passed on.</summary>
    public (X86Registers Caller, FrameTrust Trust)? Step(in X86Registers frame, bool isInnermost, StackBounds? bounds)
    {
        if (descriptions?.Find(isInnermost ? frame.Eip : frame.Eip - 1) is not { } description)
        {
            return null;
        }

        uint start = unchecked((frame[X86Register.Esp] ?? frame.ArgumentBase) + description.LocalBytes + description.SavedRegisterBytes);
        foreach (uint search in NearSlots(start))
        {
            Dictionary<string, uint> variables = Variables(frame, description, search);
            if (FrameProgram.TryRun(description.Program ?? Program(description), variables, memory) && Caller(variables, frame, bounds, description) is { } caller)
            {
                return (caller, search == start ? FrameTrust.UnwindInfo : FrameTrust.Scan);
            }

            // Only a program that begins from the stack pointer can come out differently.
            if (description.Program?.Contains(".raSearch", StringComparison.Ordinal) == false || (description.Program is null && description.UsesFramePointer))
            {
                return null;
            }
        }

        return null;
    }

    private static IEnumerable<uint> NearSlots(uint start) => Enumerable.Range(0, (int)NearbySlots).Select(i => unchecked(start + (uint)i * sizeof(uint)));

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
        caller[X86Register.Esp] = unchecked(stack + description.ParameterBytes);
        foreach (X86Register register in X86Registers.NonvolatileRegisters)
        {
            caller[register] = variables.TryGetValue(Name(register), out uint value) ? value : null;
        }

        return caller;
    }
}
