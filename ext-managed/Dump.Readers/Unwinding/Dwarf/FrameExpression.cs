namespace Dump.Readers.Unwinding.Dwarf;

/// <summary>Evaluates the expressions that call-frame information may hold: of stubs for calls into other libraries, of signal frames.</summary>
internal static class FrameExpression
{
    private const int MostSteps = 1_000;
    private const int MostValues = 64;
    private const long NanosecondsBefore = 500;
    private const long NanosecondsOfStep = 200;

    /// <summary>The value that an expression leaves; null when it is not sound, is too long, or needs what is not known.</summary>
    /// <param name="expression">The expression.</param>
    /// <param name="registers">Registers of the frame, by their DWARF numbers; null for unknown ones.</param>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="first">What lies on the stack at the beginning; null for nothing.</param>
    public static ulong? Evaluate(ReadOnlySpan<byte> expression, ReadOnlySpan<ulong?> registers, IMemory memory, ulong? first)
    {
        if (!WorkBudget.Take(NanosecondsBefore))
        {
            return null;
        }

        int steps = 0;
        try
        {
            return Evaluate(expression, registers, memory, first, ref steps);
        }
        finally
        {
            WorkBudget.Take(steps * NanosecondsOfStep);
        }
    }

    private static ulong? Evaluate(ReadOnlySpan<byte> expression, ReadOnlySpan<ulong?> registers, IMemory memory, ulong? first, ref int step)
    {
        Stack<ulong> values = new(MostValues);
        if (first is { } value)
        {
            values.Push(value);
        }

        int jumped = 0;
        DwarfReader reader = new(expression, 0);
        for (; !reader.IsAtEnd; step++)
        {
            if (step > MostSteps || values.Count >= MostValues)
            {
                return null;
            }

            byte code = reader.Byte();
            if (code is 0x28 or 0x2F)
            {
                short distance = (short)reader.UInt16();
                if (code == 0x28)
                {
                    if (!values.TryPop(out ulong condition))
                    {
                        return null;
                    }

                    if (condition == 0)
                    {
                        continue;
                    }
                }

                jumped += reader.Position + distance;
                if (jumped < 0 || jumped > expression.Length)
                {
                    return null;
                }

                reader = new DwarfReader(expression[jumped..], 0);
            }
            else if (!Step(code, ref reader, values, registers, memory))
            {
                return null;
            }
        }

        return !reader.IsBroken && values.TryPop(out ulong result) ? result : null;
    }

    private static bool Step(byte code, ref DwarfReader reader, Stack<ulong> values, ReadOnlySpan<ulong?> registers, IMemory memory)
    {
        ulong? pushed = code switch
        {
            >= 0x30 and < 0x50 => (ulong)(code - 0x30),
            >= 0x70 and < 0x90 => Register(registers, (ulong)(code - 0x70), reader.Signed()),
            0x92 => Register(registers, reader.Unsigned(), reader.Signed()),
            0x03 or 0x0E or 0x0F => reader.UInt64(),
            0x08 => reader.Byte(),
            0x09 => (ulong)(sbyte)reader.Byte(),
            0x0A => reader.UInt16(),
            0x0B => (ulong)(short)reader.UInt16(),
            0x0C => reader.UInt32(),
            0x0D => (ulong)(int)reader.UInt32(),
            0x10 => reader.Unsigned(),
            0x11 => (ulong)reader.Signed(),
            0x12 => values.TryPeek(out ulong top) ? top : null,
            0x14 => values.Count > 1 ? values.ElementAt(1) : null,
            0x15 => reader.Byte() is var index && index < values.Count ? values.ElementAt(index) : null,
            0x06 => values.TryPop(out ulong address) ? memory.ReadUInt64(address) : null,
            0x94 => Sized(reader.Byte(), values, memory),
            0x19 => values.TryPop(out ulong number) && (long)number != long.MinValue ? (ulong)Math.Abs((long)number) : null,
            0x1F => values.TryPop(out ulong negated) ? unchecked(0 - negated) : null,
            0x20 => values.TryPop(out ulong inverted) ? ~inverted : null,
            0x23 => values.TryPop(out ulong sum) ? unchecked(sum + reader.Unsigned()) : null,
            _ => null,
        };
        if (pushed is { } value)
        {
            values.Push(value);
            return true;
        }

        return code switch
        {
            0x96 => true,
            0x13 => values.TryPop(out _),
            0x16 => Swap(values),
            _ => Binary(code, values),
        };
    }

    private static ulong? Register(ReadOnlySpan<ulong?> registers, ulong number, long distance) =>
        number < (ulong)registers.Length && registers[(int)number] is { } value ? unchecked(value + (ulong)distance) : null;

    private static ulong? Sized(byte size, Stack<ulong> values, IMemory memory) => !values.TryPop(out ulong address) ? null : size switch
    {
        1 => memory.ReadByte(address),
        2 => memory.ReadUInt16(address),
        4 => memory.ReadUInt32(address),
        8 => memory.ReadUInt64(address),
        _ => null,
    };

    private static bool Swap(Stack<ulong> values)
    {
        if (values.Count < 2)
        {
            return false;
        }

        (ulong first, ulong second) = (values.Pop(), values.Pop());
        values.Push(first);
        values.Push(second);
        return true;
    }

    private static bool Binary(byte code, Stack<ulong> values)
    {
        if (values.Count < 2)
        {
            return false;
        }

        (ulong right, ulong left) = (values.Pop(), values.Pop());
        ulong? result = code switch
        {
            0x1A => left & right,
            0x1B => right == 0 || ((long)left == long.MinValue && (long)right == -1) ? null : (ulong)((long)left / (long)right),
            0x1C => unchecked(left - right),
            0x1D => right == 0 ? null : left % right,
            0x1E => unchecked(left * right),
            0x21 => left | right,
            0x22 => unchecked(left + right),
            0x24 => right < 64 ? left << (int)right : 0,
            0x25 => right < 64 ? left >> (int)right : 0,
            0x26 => (ulong)((long)left >> (int)Math.Min(right, 63)),
            0x27 => left ^ right,
            0x29 => left == right ? 1u : 0,
            0x2A => (long)left >= (long)right ? 1u : 0,
            0x2B => (long)left > (long)right ? 1u : 0,
            0x2C => (long)left <= (long)right ? 1u : 0,
            0x2D => (long)left < (long)right ? 1u : 0,
            0x2E => left != right ? 1u : 0,
            _ => null,
        };
        if (result is not { } value)
        {
            return false;
        }

        values.Push(value);
        return true;
    }
}
