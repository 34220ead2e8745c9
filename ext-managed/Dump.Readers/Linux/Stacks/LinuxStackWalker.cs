using System.Collections.Concurrent;
using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Wording;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.Linux.Stacks;

/// <summary>
/// Walks native x86-64 stacks of Linux by call-frame information. What it does not describe ends the walk: nothing is guessed. Safe for concurrent use.
/// </summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="images">What is loaded into it.</param>
internal sealed class LinuxStackWalker(IMemory memory, ElfImages images)
{
    // Numbers of general registers in DWARF, as places in user_regs_struct (System V ABI for x86-64, figure 3.36; arch/x86 user_regs_struct).
    private static readonly int[] s_places =
    [
        ElfCoreLayout.RegisterRax, ElfCoreLayout.RegisterRdx, ElfCoreLayout.RegisterRcx, ElfCoreLayout.RegisterRbx, ElfCoreLayout.RegisterRsi,
        ElfCoreLayout.RegisterRdi, ElfCoreLayout.RegisterRbp, ElfCoreLayout.RegisterRsp, ElfCoreLayout.RegisterR8, ElfCoreLayout.RegisterR9,
        ElfCoreLayout.RegisterR10, ElfCoreLayout.RegisterR11, ElfCoreLayout.RegisterR12, ElfCoreLayout.RegisterR13, ElfCoreLayout.RegisterR14,
        ElfCoreLayout.RegisterR15, ElfCoreLayout.RegisterRip,
    ];

    // Threads of one kind stand at the same places: what the tables say of each is worked out once. A damaged core may have as many places as frames.
    private const int MostKnown = 2_048;
    private readonly ConcurrentDictionary<ulong, (FrameDescription? Description, FrameState? State)> _known = new();
    private int _places;

    /// <summary>Walks the stack of a thread; without its registers there is none.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="maximumFrames">Most frames, at least 1.</param>
    /// <returns>The frames, whose functions have no names yet, and for each the address by which its function is found.</returns>
    public (ThreadStack Stack, ImmutableArray<ulong> Lookups) Walk(ElfThread thread, int maximumFrames)
    {
        if (thread.Registers.Count != ElfCoreLayout.RegisterCount)
        {
            return (ThreadStack.None, []);
        }

        ulong?[] registers = [.. s_places.Select(p => (ulong?)thread.Registers[p])];
        List<StackFrame> frames = [];
        List<ulong> lookups = [];
        StackEnd? end = null;
        for (bool isCaller = false; end is null;)
        {
            ulong at = registers[DwarfLayout.ReturnAddress]!.Value;
            ulong stack = registers[DwarfLayout.StackPointer]!.Value;
            ulong lookup = isCaller ? at - 1 : at;
            (FrameDescription? description, FrameState? state) = Known(lookup);
            lookups.Add(lookup);
            frames.Add(new StackFrame(
                at, stack, null, null, null, null, frames.Count == 0 ? FrameTrust.Context : FrameTrust.UnwindInfo, SymbolSource.None)
            {
                FunctionStart = description?.Begin,
                IsOfSignal = description?.IsSignal == true,
                Signal = description?.IsSignal == true ? SignalOf(stack) : null,
            });
            end = frames.Count >= maximumFrames ? StackEnd.Limit
                : description is null ? StackEnd.UnwindInfoMissing
                : Step(state, registers) is { } why ? why
                : registers[DwarfLayout.StackPointer] <= stack || images.Find(registers[DwarfLayout.ReturnAddress]!.Value - 1) is null ? StackEnd.Inconsistent
                : null;
            isCaller = description?.IsSignal == false;
        }

        return (new ThreadStack([.. frames], end.Value), [.. lookups]);
    }

    /// <summary>
    /// Of the frame that the kernel makes for a handler: at its stack pointer stands the context that was interrupted, behind it what is known of the signal
    /// (arch/x86/include/asm/sigframe.h, struct rt_sigframe). For a handler without SA_SIGINFO the kernel leaves there what there was. Null where it is no number
    /// of a signal, without an error, with a reason that exists.
    /// </summary>
    private int? SignalOf(ulong stack)
    {
        ulong information = unchecked(stack + SignalFrameLayout.Information);
        return memory.ReadUInt32(information) is { } number and >= 1 and <= SignalFrameLayout.LastSignal
            && !SignalFrameLayout.Uncatchable.Contains(number)
            && memory.ReadUInt32(information + ElfCoreLayout.SignalError) == 0
            && memory.ReadUInt32(information + ElfCoreLayout.SignalCode) is { } code && (int)code is >= SignalFrameLayout.LowestReason and <= LinuxSignals.SentByKernel
            && memory.ReadUInt32(information + ElfCoreLayout.SignalPadding) == 0 ? (int)number : null;
    }

    private (FrameDescription? Description, FrameState? State) Known(ulong lookup)
    {
        if (_known.TryGetValue(lookup, out (FrameDescription? Description, FrameState? State) known))
        {
            return known;
        }

        known = Described(lookup);
        if (Interlocked.Increment(ref _places) <= MostKnown)
        {
            _known[lookup] = known;
        }

        return known;
    }

    private (FrameDescription? Description, FrameState? State) Described(ulong lookup) =>
        images.Find(lookup)?.Unwinding(lookup) is { } description ? (description, FrameInstructions.At(description, lookup)) : (null, null);

    /// <summary>Puts the caller's registers in place of the frame's; gives why there is no caller, or null.</summary>
    private StackEnd? Step(FrameState? described, ulong?[] registers)
    {
        if (described is not { } state)
        {
            return StackEnd.Inconsistent;
        }

        if (state.Rules[DwarfLayout.ReturnAddress].Kind == RegisterRuleKind.Undefined)
        {
            return StackEnd.Complete;
        }

        ulong? frame = state.Expression is { } expression ? FrameExpression.Evaluate(expression, registers, memory, null)
            : state.Base >= 0 && registers[state.Base] is { } value ? unchecked(value + (ulong)state.Distance)
            : null;
        if (frame is not { } address)
        {
            return StackEnd.Inconsistent;
        }

        ulong?[] caller = new ulong?[DwarfLayout.Registers];
        for (int i = 0; i < caller.Length; i++)
        {
            caller[i] = Value(state.Rules[i], i, address, registers);
        }

        // The frame's address is the stack pointer at the place of the call, by definition, unless a rule says otherwise: a signal frame has its own.
        if (state.Rules[DwarfLayout.StackPointer].Kind == RegisterRuleKind.SameValue)
        {
            caller[DwarfLayout.StackPointer] = address;
        }

        caller.CopyTo(registers, 0);
        return registers[DwarfLayout.ReturnAddress] is not { } returns || registers[DwarfLayout.StackPointer] is null ? StackEnd.MemoryMissing
            : returns == 0 ? StackEnd.Complete
            : null;
    }

    private ulong? Value(RegisterRule rule, int register, ulong frame, ulong?[] registers) => rule.Kind switch
    {
        RegisterRuleKind.SameValue => registers[register],
        RegisterRuleKind.Offset => memory.ReadUInt64(unchecked(frame + (ulong)rule.Number)),
        RegisterRuleKind.ValueOffset => unchecked(frame + (ulong)rule.Number),
        RegisterRuleKind.Register => (ulong)rule.Number < DwarfLayout.Registers ? registers[rule.Number] : null,
        RegisterRuleKind.Expression => FrameExpression.Evaluate(rule.Expression, registers, memory, frame) is { } place ? memory.ReadUInt64(place) : null,
        RegisterRuleKind.ValueExpression => FrameExpression.Evaluate(rule.Expression, registers, memory, frame),
        _ => null,
    };
}
