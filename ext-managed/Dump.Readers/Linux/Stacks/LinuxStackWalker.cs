using System.Collections.Concurrent;
using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Wording;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Code;
using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.Linux.Stacks;

/// <summary>
/// Walks native stacks of Linux by call-frame information. What it does not describe ends the walk on x64, where nothing is guessed; on ARM64 the chain of
/// frame records leads on, which its procedure call standard asks for, and those frames say so. Safe for concurrent use.
/// </summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="images">What is loaded into it.</param>
internal sealed class LinuxStackWalker(IMemory memory, ElfImages images)
{
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
        if (thread.Registers.Count != thread.Machine.RegisterCount)
        {
            return (ThreadStack.None, []);
        }

        MachineCode code = MachineCode.Of(thread.Machine);
        WalkedFrame frame = new(thread);
        List<StackFrame> frames = [];
        List<ulong> lookups = [];
        FrameTrust trust = FrameTrust.Context;
        StackEnd? end = null;
        for (bool isCaller = false; end is null;)
        {
            (ulong at, ulong stack) = (frame.Next, frame.Stack);
            ulong lookup = isCaller ? at - 1 : at;
            (FrameDescription? description, FrameState? state) = Known(lookup);
            if (description is not null && description.Registers != thread.Machine.Dwarf)
            {
                description = null;
            }

            // The kernel's code to which handlers return has no description that leads to what was interrupted (ARM64; arch/arm64/kernel/vdso/sigreturn.S).
            bool isInContext = thread.Machine == LinuxMachine.Arm64 && description?.IsSignal != false
                && images.Find(at)?.Image is { } image && code.IsSignalReturn(image, at);
            bool isSignal = description?.IsSignal == true || isInContext;
            lookups.Add(isInContext ? at : lookup);
            frames.Add(new StackFrame(at, stack, null, null, null, null, trust, SymbolSource.None)
            {
                FunctionStart = isInContext ? at : description?.Begin,
                IsOfSignal = isSignal,
                Signal = isSignal ? SignalOf(thread.Machine, stack) : null,
            });
            bool isByRecord = description is null && !isInContext && thread.Machine == LinuxMachine.Arm64;
            end = frames.Count >= maximumFrames ? StackEnd.Limit
                : isInContext ? frame.Interrupted(memory)
                : isByRecord ? frame.CallerByRecord(memory, isCaller, a => IsReturnAddress(code, a), a => IsSameFunction(at, a))
                : description is null ? StackEnd.UnwindInfoMissing
                : frame.Caller(state, memory);
            end ??= frame.Stack < stack || (frame.Stack == stack && (isCaller || thread.Machine != LinuxMachine.Arm64))
                || images.Find(frame.Next - 1) is null ? StackEnd.Inconsistent : null;
            trust = isByRecord ? FrameTrust.FramePointer : FrameTrust.UnwindInfo;
            isCaller = !isSignal;
        }

        return (new ThreadStack([.. frames], end.Value), [.. lookups]);
    }

    private bool IsReturnAddress(MachineCode code, ulong address) => images.Find(address - 1)?.Image is { } image && code.IsReturnAddress(image, address) == true;

    private bool IsSameFunction(ulong address, ulong other) => images.Find(address) is { } image && image == images.Find(other)
        && image.Symbols.Find(address) is { } function && image.Symbols.Find(other - 1)?.Address == function.Address;

    /// <summary>
    /// Of the frame that the kernel makes for a handler: what is known of the signal. For a handler without SA_SIGINFO the kernel of x64 leaves there what there
    /// was. Null where it is no number of a signal, without an error, with a reason that exists.
    /// </summary>
    private int? SignalOf(LinuxMachine machine, ulong stack)
    {
        ulong information = unchecked(stack + (ulong)SignalFrameLayout.InformationOf(machine));
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
}
