using Dump.Readers.Pe;
using Dump.Readers.Unwinding.Frames;
using Iced.Intel;

namespace Dump.Readers.Unwinding.X86;

/// <summary>
/// Finds where functions begin. 32-bit images have no function table, and the nearest lower export says nothing: so its code is followed from its first
/// instruction, and it is the function only when an instruction so reached is the one in question. Not safe for concurrent use.
/// </summary>
/// <param name="code">Decodes instructions.</param>
/// <param name="images">The images.</param>
internal sealed class X86FunctionStarts(X86CodeReader code, PeImages images)
{
    private const int MaximumInstructions = 4096;
    private const uint Farthest = 0x10000;
    private const uint LargestLoop = 0x1000;
    private const int MaximumRemembered = 1_000_000;
    private readonly Dictionary<uint, Reached> _functions = [];
    private int _remembered;

    /// <summary>The exported function that an instruction belongs to; null when the nearest export's code does not lead there.</summary>
    /// <param name="address">The instruction to run next, or, in a caller, the one behind its call.</param>
    /// <param name="isBehindCall">True for a caller: the call must be reached, whatever stands behind it.</param>
    public uint? OfExportAround(uint address, bool isBehindCall)
    {
        uint lookup = isBehindCall ? address - 1 : address;
        if (images.Find(lookup, out uint rva) is not { } image || image.FindExportAtOrBelow(rva) is not { } export || rva - export.Rva >= Farthest)
        {
            return null;
        }

        uint start = (uint)image.BaseAddress + export.Rva;
        return Reaches(start, address, isBehindCall) ? start : null;
    }

    /// <summary>The part of a function that its code reaches from its beginning.</summary>
    public CodeRange RangeOf(uint start) => new(start, From(start).End);

    /// <summary>
    /// The part of a function whose beginning is not known that can run from an instruction on, backwards
    /// jumps included: a loop around the instruction lies in it.
    /// </summary>
    public CodeRange RangeAround(uint address) => Follow(address, address - Math.Min(address, LargestLoop)) is { Instructions.Count: > 0 } reached
        ? new CodeRange(reached.Instructions.Min(), reached.End)
        : new CodeRange(address, address);

    /// <summary>True when a function's code leads from its beginning to an instruction.</summary>
    public bool Reaches(uint start, uint address, bool isBehindCall) =>
        (isBehindCall ? From(start).Behind : From(start).Instructions).Contains(address);

    private Reached From(uint start)
    {
        if (!_functions.TryGetValue(start, out Reached? reached))
        {
            reached = Follow(start, start);
            if (_remembered < MaximumRemembered)
            {
                _remembered += 1 + reached.Instructions.Count;
                _functions.Add(start, reached);
            }
        }

        return reached;
    }

    private Reached Follow(uint start, uint lowest)
    {
        Reached reached = new() { End = start };
        Queue<(uint Address, X86CodeState State)> open = new([(start, new X86CodeState())]);
        while (open.TryDequeue(out (uint Address, X86CodeState State) next) && reached.Instructions.Count < MaximumInstructions)
        {
            if (next.Address < lowest || next.Address - lowest >= Farthest || reached.Instructions.Contains(next.Address)
                || !code.TryDecode(next.Address, out Instruction instruction))
            {
                continue;
            }

            reached.Instructions.Add(next.Address);
            reached.Behind.Add(instruction.NextIP32);
            reached.End = Math.Max(reached.End, instruction.NextIP32);
            X86CodeState state = next.State;
            if (instruction.FlowControl == FlowControl.Next)
            {
                state.Apply(instruction);
            }

            foreach (uint target in Next(instruction, state))
            {
                open.Enqueue((target, state));
            }
        }

        return reached;
    }

    /// <summary>Where control goes inside the function. A jump with the stack as at the function's beginning leaves it for another one.</summary>
    private static IEnumerable<uint> Next(Instruction instruction, X86CodeState state) => instruction.FlowControl switch
    {
        FlowControl.Next or FlowControl.Call or FlowControl.IndirectCall => [instruction.NextIP32],
        FlowControl.ConditionalBranch => [instruction.NextIP32, instruction.NearBranch32],
        FlowControl.UnconditionalBranch when instruction.Op0Kind == OpKind.NearBranch32 && !state.IsStackAsAtFirst => [instruction.NearBranch32],
        _ => [],
    };

    /// <summary>A function's code as far as it was followed.</summary>
    private sealed class Reached
    {
        /// <summary>Addresses of its instructions.</summary>
        public HashSet<uint> Instructions { get; } = [];

        /// <summary>The addresses behind them.</summary>
        public HashSet<uint> Behind { get; } = [];

        /// <summary>The address behind the last of them.</summary>
        public uint End { get; set; }
    }
}
