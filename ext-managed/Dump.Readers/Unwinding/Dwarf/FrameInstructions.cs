namespace Dump.Readers.Unwinding.Dwarf;

/// <summary>Executes the instructions of call-frame information up to an address.</summary>
internal static class FrameInstructions
{
    // A function's own are some dozens.
    private const int MostSteps = 4_096;
    private const int MostRemembered = 64;
    private const long NanosecondsBefore = 500;
    private const long NanosecondsOfByte = 60;
    private const long NanosecondsOfCopy = 1_000;

    /// <summary>
    /// The row that applies at an address; null when the instructions are not sound, or the frame's address is counted from a register that is not followed.
    /// </summary>
    public static FrameState? At(FrameDescription description, ulong address)
    {
        if (!WorkBudget.Take(NanosecondsBefore + ((description.Common.Length + description.Own.Length) * NanosecondsOfByte)))
        {
            return null;
        }

        FrameState state = new() { Base = -1, Rules = new RegisterRule[description.Registers.Count] };
        ulong location = description.Begin;
        if (!Run(description, new DwarfReader(description.Common, 0), ref state, null, ref location, ulong.MaxValue))
        {
            return null;
        }

        FrameState initial = state.Copy();
        return Run(description, new DwarfReader(description.Own, description.OwnAddress), ref state, initial, ref location, address) ? state : null;
    }

    private static bool Run(FrameDescription description, DwarfReader reader, ref FrameState state, FrameState? initial, ref ulong location, ulong address)
    {
        Stack<FrameState> remembered = [];
        for (int step = 0; !reader.IsAtEnd; step++)
        {
            if (step > MostSteps)
            {
                return false;
            }

            byte code = reader.Byte();
            ulong? advance = code switch
            {
                >= 0x40 and < 0x80 => (ulong)(code & 0x3F),
                0x02 => reader.Byte(),
                0x03 => reader.UInt16(),
                0x04 => reader.UInt32(),
                _ => null,
            };
            if (advance is { } distance)
            {
                location = unchecked(location + distance * description.CodeFactor);
            }
            else if (code == 0x01)
            {
                location = reader.Pointer(description.Encoding) ?? ulong.MaxValue;
            }
            else if (code == 0x0A)
            {
                if (remembered.Count >= MostRemembered || !WorkBudget.Take(NanosecondsOfCopy))
                {
                    return false;
                }

                remembered.Push(state.Copy());
            }
            else if (code == 0x0B)
            {
                if (!remembered.TryPop(out state))
                {
                    return false;
                }
            }
            else if (!Apply(description, code, ref reader, ref state, initial))
            {
                return false;
            }

            // A row applies up to the next location, which is behind the address.
            if (location > address)
            {
                return true;
            }
        }

        return !reader.IsBroken;
    }

    private static bool Apply(FrameDescription description, byte code, ref DwarfReader reader, ref FrameState state, FrameState? initial)
    {
        switch (code)
        {
            case >= 0xC0:
                return Restore(state, initial, (ulong)(code & 0x3F));
            case >= 0x80:
                return Set(state, (ulong)(code & 0x3F), new(RegisterRuleKind.Offset, (long)reader.Unsigned() * description.DataFactor));
            case 0x00:
                return true;
            case 0x05:
                return Set(state, reader.Unsigned(), new(RegisterRuleKind.Offset, (long)reader.Unsigned() * description.DataFactor));
            case 0x06:
                return Restore(state, initial, reader.Unsigned());
            case 0x07:
                return Set(state, reader.Unsigned(), new(RegisterRuleKind.Undefined));
            case 0x08:
                return Set(state, reader.Unsigned(), new(RegisterRuleKind.SameValue));
            case 0x09:
                return Set(state, reader.Unsigned(), new(RegisterRuleKind.Register, (long)reader.Unsigned()));
            case 0x0C:
                return Frame(description, ref state, reader.Unsigned(), (long)reader.Unsigned());
            case 0x0D:
                return Frame(description, ref state, reader.Unsigned(), state.Distance);
            case 0x0E:
                return Frame(description, ref state, (ulong)state.Base, (long)reader.Unsigned());
            case 0x0F:
                state.Base = -1;
                state.Expression = Block(ref reader);
                return true;
            case 0x10:
                return Set(state, reader.Unsigned(), new(RegisterRuleKind.Expression, 0, Block(ref reader)));
            case 0x11:
                return Set(state, reader.Unsigned(), new(RegisterRuleKind.Offset, reader.Signed() * description.DataFactor));
            case 0x12:
                return Frame(description, ref state, reader.Unsigned(), reader.Signed() * description.DataFactor);
            case 0x13:
                return Frame(description, ref state, (ulong)state.Base, reader.Signed() * description.DataFactor);
            case 0x14:
                return Set(state, reader.Unsigned(), new(RegisterRuleKind.ValueOffset, (long)reader.Unsigned() * description.DataFactor));
            case 0x15:
                return Set(state, reader.Unsigned(), new(RegisterRuleKind.ValueOffset, reader.Signed() * description.DataFactor));
            case 0x16:
                return Set(state, reader.Unsigned(), new(RegisterRuleKind.ValueExpression, 0, Block(ref reader)));
            case 0x2D when description.Registers.SignsReturns:
                state.ReturnIsSigned = !state.ReturnIsSigned;
                return true;
            case 0x2E:
                reader.Unsigned();
                return true;
            case 0x2F:
                return Set(state, reader.Unsigned(), new(RegisterRuleKind.Offset, -(long)reader.Unsigned() * description.DataFactor));
            default:
                return false;
        }
    }

    private static byte[] Block(ref DwarfReader reader) => reader.Take((int)Math.Min(reader.Unsigned(), int.MaxValue)).ToArray();

    /// <summary>Registers that are not followed (vector registers) have rules too, which change nothing here.</summary>
    private static bool Set(FrameState state, ulong register, RegisterRule rule)
    {
        if (register < (ulong)state.Rules.Length)
        {
            state.Rules[register] = rule;
        }

        return true;
    }

    private static bool Restore(FrameState state, FrameState? initial, ulong register) =>
        initial is { } first && Set(state, register, register < (ulong)first.Rules.Length ? first.Rules[register] : default);

    private static bool Frame(FrameDescription description, ref FrameState state, ulong register, long distance)
    {
        if (register >= (ulong)description.Registers.Bases)
        {
            return false;
        }

        (state.Base, state.Distance, state.Expression) = ((int)register, distance, null);
        return true;
    }
}

/// <summary>The row of call-frame information that applies at one instruction.</summary>
internal struct FrameState
{
    /// <summary>The register that the frame's address is counted from; -1 where an expression gives it.</summary>
    public int Base { get; set; }

    /// <summary>The distance from that register, bytes.</summary>
    public long Distance { get; set; }

    /// <summary>The expression for the frame's address, or null.</summary>
    public byte[]? Expression { get; set; }

    /// <summary>True where the return address carries a pointer authentication code.</summary>
    public bool ReturnIsSigned { get; set; }

    /// <summary>A rule for each register.</summary>
    public RegisterRule[] Rules { get; set; }

    /// <summary>A copy that does not share its rules.</summary>
    public readonly FrameState Copy() => this with { Rules = [.. Rules] };
}

/// <summary>Where a register of the caller is found.</summary>
/// <param name="Kind">How.</param>
/// <param name="Number">Distance from the frame's address in bytes, or the number of another register.</param>
/// <param name="Expression">An expression, or null.</param>
internal readonly record struct RegisterRule(RegisterRuleKind Kind, long Number = 0, byte[]? Expression = null);

/// <summary>How a register of the caller is found (DWARF 5, 6.4.1).</summary>
internal enum RegisterRuleKind
{
    /// <summary>It has the same value.</summary>
    SameValue,

    /// <summary>Its value is lost; of the return address: there is no caller.</summary>
    Undefined,

    /// <summary>It is saved at a distance from the frame's address.</summary>
    Offset,

    /// <summary>It is a distance from the frame's address.</summary>
    ValueOffset,

    /// <summary>Another register has it.</summary>
    Register,

    /// <summary>It is saved where an expression says.</summary>
    Expression,

    /// <summary>It is what an expression gives.</summary>
    ValueExpression,
}
