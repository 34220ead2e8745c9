using Dump.Model.Process;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Code;
using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.Linux.Stacks;

/// <summary>The registers of a frame on a walk, which goes on by putting those of its caller in their place.</summary>
internal sealed class WalkedFrame
{
    // Bits that no address of a user process of ARM64 has; of those the code takes what the system leaves (Documentation/arm64/pointer-authentication.rst).
    private const ulong UsualAuthenticationMask = 0xFF7F_0000_0000_0000;
    private const int FramePointer = 29;
    private const int Record = 2 * sizeof(ulong);
    private readonly LinuxMachine _machine;
    private readonly DwarfRegisters _dwarf;
    private readonly ulong _authenticationMask;
    private readonly ulong?[] _registers;

    // Behind a step by a frame record, whose place in its frame is not known.
    private bool _isStackKnown = true;

    /// <summary>The innermost frame of a thread.</summary>
    /// <param name="thread">The thread, whose registers are known.</param>
    public WalkedFrame(ElfThread thread)
    {
        _machine = thread.Machine;
        _dwarf = _machine.Dwarf;
        _authenticationMask = thread.AuthenticationMask ?? UsualAuthenticationMask;
        _registers = [.. _machine.DwarfPlaces.Select(p => (ulong?)thread.Registers[p])];
        Next = thread.InstructionPointer!.Value;
    }

    /// <summary>Where it goes on.</summary>
    public ulong Next { get; private set; }

    /// <summary>Its stack pointer; behind a step by a frame record the address behind that record.</summary>
    public ulong Stack => _registers[_dwarf.StackPointer]!.Value;

    /// <summary>Goes to the caller by a row of call-frame information; gives why there is none, or null.</summary>
    /// <param name="described">The row; null where the instructions that lead to it are not sound.</param>
    /// <param name="memory">Memory of the process.</param>
    public StackEnd? Caller(FrameState? described, IMemory memory)
    {
        if (described is not { } state)
        {
            return StackEnd.Inconsistent;
        }

        if (state.Rules[_dwarf.ReturnAddress].Kind == RegisterRuleKind.Undefined)
        {
            return StackEnd.Complete;
        }

        bool isFromRecord = !_isStackKnown && state.Expression is null && state.Base == _dwarf.StackPointer;
        if (isFromRecord && !HasRecord(state))
        {
            return StackEnd.UnwindInfoMissing;
        }

        ulong? frame = isFromRecord ? unchecked(_registers[FramePointer] - (ulong)state.Rules[FramePointer].Number)
            : state.Expression is { } expression ? FrameExpression.Evaluate(expression, _registers, memory, null)
            : state.Base >= 0 && _registers[state.Base] is { } value ? unchecked(value + (ulong)state.Distance)
            : null;
        if (frame is not { } address)
        {
            return StackEnd.Inconsistent;
        }

        ulong?[] caller = new ulong?[_registers.Length];
        for (int i = 0; i < caller.Length; i++)
        {
            caller[i] = Value(state.Rules[i], i, address, memory);
        }

        // The frame's address is the stack pointer at the place of the call, by definition, unless a rule says otherwise: a signal frame has its own.
        if (state.Rules[_dwarf.StackPointer].Kind == RegisterRuleKind.SameValue)
        {
            caller[_dwarf.StackPointer] = address;
        }

        if (caller[_dwarf.ReturnAddress] is not { } returns || caller[_dwarf.StackPointer] is null)
        {
            return StackEnd.MemoryMissing;
        }

        caller.CopyTo(_registers, 0);
        _isStackKnown = true;
        Next = state.ReturnIsSigned ? returns & ~_authenticationMask : returns;
        return Next == 0 ? StackEnd.Complete : null;
    }

    /// <summary>Goes from the frame of a handler of signals to what it interrupted; gives why that cannot be read, or null.</summary>
    /// <param name="memory">Memory of the process.</param>
    public StackEnd? Interrupted(IMemory memory)
    {
        byte[] bytes = new byte[(ElfCoreLayout.RegisterPc + 1) * sizeof(ulong)];
        if (!memory.TryRead(unchecked(Stack + SignalFrameLayout.Arm64Registers), bytes))
        {
            return StackEnd.MemoryMissing;
        }

        for (int i = 0; i < _registers.Length; i++)
        {
            _registers[i] = BitConverter.ToUInt64(bytes, i * sizeof(ulong));
        }

        _isStackKnown = true;
        Next = BitConverter.ToUInt64(bytes, ElfCoreLayout.RegisterPc * sizeof(ulong));
        return null;
    }

    /// <summary>
    /// Goes to the caller by the record of the frame pointer and the return address that functions of ARM64 keep (AAPCS64, "The Frame Pointer"). The innermost
    /// function may not have made its own yet, or none at all: then the link register leads to its caller, unless that is stale, from a call of its own.
    /// </summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="hasCalled">True for a frame that has called another.</param>
    /// <param name="isReturnAddress">Whether a call stands before an address.</param>
    /// <param name="isOwn">Whether an address is behind a call in the function itself.</param>
    /// <returns>Why there is no caller, or null.</returns>
    public StackEnd? CallerByRecord(IMemory memory, bool hasCalled, Func<ulong, bool> isReturnAddress, Func<ulong, bool> isOwn)
    {
        if (_registers[FramePointer] is not { } record || _registers[_dwarf.ReturnAddress] is not { } link)
        {
            return StackEnd.UnwindInfoMissing;
        }

        (ulong? outer, ulong? kept) = (memory.ReadUInt64(record), memory.ReadUInt64(unchecked(record + sizeof(ulong))) & ~_authenticationMask);
        bool isRecord = record % sizeof(ulong) == 0 && record >= Stack && kept is { } address && isReturnAddress(address);
        link &= ~_authenticationMask;
        if (!hasCalled && isReturnAddress(link) && !isOwn(link) && !(isRecord && kept == link))
        {
            // No record of its own.
            Array.Clear(_registers, 0, FramePointer);
            Next = link;
            _isStackKnown = false;
            return null;
        }

        if (!isRecord)
        {
            return outer == 0 && kept == 0 ? StackEnd.Complete : StackEnd.UnwindInfoMissing;
        }

        Array.Clear(_registers, 0, FramePointer);
        _registers[FramePointer] = outer;
        _registers[_dwarf.ReturnAddress] = kept;
        _registers[_dwarf.StackPointer] = record + Record;
        _isStackKnown = false;
        Next = kept!.Value;
        return null;
    }

    /// <summary>True for a row by which the frame pointer leads to the function's own record, whose place in the frame the row tells.</summary>
    private bool HasRecord(FrameState state) =>
        state.Rules[FramePointer] is { Kind: RegisterRuleKind.Offset, Number: var record }
            && state.Rules[_dwarf.ReturnAddress] is { Kind: RegisterRuleKind.Offset, Number: var link } && link == record + sizeof(ulong);

    private ulong? Value(RegisterRule rule, int register, ulong frame, IMemory memory) => rule.Kind switch
    {
        RegisterRuleKind.SameValue => _registers[register],
        RegisterRuleKind.Offset => memory.ReadUInt64(unchecked(frame + (ulong)rule.Number)),
        RegisterRuleKind.ValueOffset => unchecked(frame + (ulong)rule.Number),
        RegisterRuleKind.Register => (ulong)rule.Number < (ulong)_registers.Length ? _registers[rule.Number] : null,
        RegisterRuleKind.Expression => FrameExpression.Evaluate(rule.Expression, _registers, memory, frame) is { } place ? memory.ReadUInt64(place) : null,
        RegisterRuleKind.ValueExpression => FrameExpression.Evaluate(rule.Expression, _registers, memory, frame),
        _ => null,
    };
}
