using Dump.Readers.Pe;
using Dump.Readers.Registers;

namespace Dump.Readers.Unwinding.Arm64;

/// <summary>
/// Writes the unwind codes that packed unwind data stand for. Source: Microsoft's "ARM64 exception handling"
/// documentation, "Packed unwind data": the canonical prolog stores general registers, vector registers and arguments
/// in one area, then takes the memory of local variables and stores frame pointer and link register at its lower end.
/// </summary>
internal static class Arm64PackedUnwind
{
    private const int Slot = sizeof(ulong);
    private const int ArgumentInstructions = 4;
    private const int ArgumentSlots = 8;
    private const int LinkOnly = 1;
    private const int ChainedAndSigned = 2;
    private const int Chained = 3;
    private const int LargestIndexedStore = 512;

    // Number of the link register as codes for saves count: from X19 on.
    private const int Link = Arm64Registers.LinkNumber - Arm64Registers.FirstNonvolatile;

    // The largest single allocation of a canonical prolog.
    private const int LargestStep = 4080;

    /// <summary>Expands packed data; null when the sizes contradict each other.</summary>
    public static Arm64UnwindInfo? Expand(uint data)
    {
        Fields fields = new(data);
        if (fields.General > Arm64Registers.LastNonvolatile - Arm64Registers.FirstNonvolatile + 1 || fields.Locals < 0)
        {
            return null;
        }

        // Steps in the order of the prolog; codes are stored the other way round.
        List<byte[]> steps = fields.Link == ChainedAndSigned ? [[Arm64UnwindLayout.SignReturnAddress]] : [];
        Saves(steps, fields);
        int arguments = steps.Count;
        if (fields.HasHomes && fields.Saved > 0)
        {
            steps.AddRange(Enumerable.Repeat<byte[]>([Arm64UnwindLayout.Nothing], ArgumentInstructions));
        }

        int locals = steps.Count;
        Locals(steps, fields);
        if ((data & Arm64FunctionLayout.FlagMask) == Arm64FunctionLayout.FlagPackedFragment)
        {
            return new Arm64UnwindInfo([Arm64UnwindLayout.EndChained, .. Undo(steps)], null);
        }

        // The epilog stores no arguments and leaves the frame pointer alone.
        byte[] prolog = Undo(steps);
        List<byte[]> epilog = [.. steps.Take(arguments), .. steps.Skip(locals).Where(step => step[0] != Arm64UnwindLayout.SetFrame)];
        uint length = (data >> Arm64FunctionLayout.PackedLengthShift) & Arm64FunctionLayout.PackedLengthMask;
        return new Arm64UnwindInfo([.. prolog, .. Undo(epilog)], null).WithEpilogAtEnd(length, prolog.Length);
    }

    private static byte[] Undo(IEnumerable<byte[]> steps) => [.. steps.Reverse().SelectMany(step => step), Arm64UnwindLayout.End];

    /// <summary>
    /// Stores of registers. The first of them takes the memory for all, except that no indexed store of one register with the link register exists.
    /// </summary>
    private static void Saves(List<byte[]> steps, Fields fields)
    {
        bool savesLink = fields.Link == LinkOnly;
        int slot = 0;
        bool isTaken = false;
        if (savesLink && fields.General == 1)
        {
            steps.Add(Allocate(fields.Saved));
            isTaken = true;
        }

        for (int register = 0; register + 1 < fields.General; register += 2)
        {
            Add(2, Pair(isTaken ? Arm64UnwindLayout.SavePair : Arm64UnwindLayout.SavePairIndexed, register, Place()));
        }

        int last = fields.General - 1;
        if (fields.General % 2 == 1 && savesLink)
        {
            Add(2, [(byte)(Arm64UnwindLayout.SaveLinkPair | last >> 3), (byte)(last << 5 & 0xC0 | slot)]);
        }
        else if (fields.General % 2 == 1 || savesLink)
        {
            int register = savesLink ? Link : last;
            Add(1, isTaken ? Pair(Arm64UnwindLayout.SaveOne, register, slot) : Pair(Arm64UnwindLayout.SaveOneIndexed, register, Place(), 5));
        }

        for (int register = 0; register < fields.Vector; register += 2)
        {
            bool isPair = register + 1 < fields.Vector;
            int code = isPair ? isTaken ? Arm64UnwindLayout.SaveVectorPair : Arm64UnwindLayout.SaveVectorPairIndexed : Arm64UnwindLayout.SaveVector;
            Add(isPair ? 2 : 1, Pair(code, register, Place()));
        }

        int Place() => isTaken ? slot : fields.Saved / Slot - 1;

        void Add(int slots, byte[] step)
        {
            steps.Add(step);
            slot += slots;
            isTaken = true;
        }
    }

    private static void Locals(List<byte[]> steps, Fields fields)
    {
        if (fields.Locals == 0)
        {
            return;
        }

        bool isChained = fields.Link is Chained or ChainedAndSigned;
        if (isChained && fields.Locals <= LargestIndexedStore)
        {
            steps.Add([(byte)(Arm64UnwindLayout.SaveFrameAndLinkIndexed | fields.Locals / Slot - 1)]);
        }
        else
        {
            int first = Math.Min(fields.Locals, LargestStep);
            steps.Add(Allocate(first));
            if (fields.Locals > first)
            {
                steps.Add(Allocate(fields.Locals - first));
            }

            if (isChained)
            {
                steps.Add([Arm64UnwindLayout.SaveFrameAndLink]);
            }
        }

        if (isChained)
        {
            steps.Add([Arm64UnwindLayout.SetFrame]);
        }
    }

    /// <summary>A code of two bytes: the register above the offset.</summary>
    private static byte[] Pair(int code, int register, int offset, int offsetBits = 6)
    {
        int value = code << 8 | register << offsetBits | offset;
        return [(byte)(value >> 8), (byte)value];
    }

    private static byte[] Allocate(int size)
    {
        int units = size / Arm64UnwindLayout.AllocationUnit;
        return units < Arm64UnwindLayout.SaveR19R20 ? [(byte)units] : [(byte)(Arm64UnwindLayout.FirstDouble | units >> 8), (byte)units];
    }

    /// <summary>The fields of packed data; sizes in bytes.</summary>
    private readonly struct Fields
    {
        public Fields(uint data)
        {
            int vector = (int)((data >> Arm64FunctionLayout.PackedVectorShift) & Arm64FunctionLayout.PackedVectorMask);
            General = (int)((data >> Arm64FunctionLayout.PackedGeneralShift) & Arm64FunctionLayout.PackedGeneralMask);
            HasHomes = ((data >> Arm64FunctionLayout.PackedHomesShift) & 1) != 0;
            Link = (int)((data >> Arm64FunctionLayout.PackedLinkShift) & Arm64FunctionLayout.PackedLinkMask);
            Vector = vector == 0 ? 0 : vector + 1;
            int registers = General + Vector + (Link == LinkOnly ? 1 : 0);

            // Without any register to store, arguments are stored among the local variables.
            int slots = registers + (HasHomes && registers > 0 ? ArgumentSlots : 0);
            Saved = (slots + 1) / 2 * 2 * Slot;
            Locals = (int)((data >> Arm64FunctionLayout.PackedFrameShift) & Arm64FunctionLayout.PackedFrameMask) * Arm64FunctionLayout.FrameUnit - Saved;
        }

        public int General { get; }

        public int Vector { get; }

        public bool HasHomes { get; }

        public int Link { get; }

        public int Saved { get; }

        public int Locals { get; }
    }
}
