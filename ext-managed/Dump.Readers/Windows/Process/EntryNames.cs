using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Readers.Instructions;
using Dump.Readers.Symbols;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Windows.Process;

/// <summary>
/// Says by which exported function a module was entered where that function left no frame, because it went on with a jump into an inner one: on x64
/// <c>DispatchMessageW</c> and <c>WaitMessage</c> of user32, <c>RtlEnterCriticalSection</c> of Windows 8.1, <c>_Mtx_lock</c> of msvcp140 and msvcp_win,
/// <c>_lock_file</c> of ucrtbase (public stack: libsdl-org/SDL #10529; code of 31 ntdlls and of msvcp140 14.0 to 14.40). The inner function has no name without
/// symbols, and one that nobody knows with them. The caller's instruction, or its import slot, still names the function that it called.
/// </summary>
internal static class EntryNames
{
    // A stack enters other modules a few times; a damaged one may claim any number.
    private const int MostOfOneStack = 64;

    /// <summary>The same frames, with the entries that could be told.</summary>
    public static ImmutableArray<StackFrame> Add(ImmutableArray<StackFrame> frames, WalkedStack stack, IMemory memory, IModuleMap modules, ISymbols symbols)
    {
        ImmutableArray<StackFrame>.Builder? named = null;
        int seen = 0;
        for (int i = 0; i + 1 < frames.Length && seen < MostOfOneStack; i++)
        {
            // A frame that an export names was entered by that name.
            if (frames[i] is not { ModuleStem: { } module, Symbol: not SymbolSource.Export } || frames[i + 1].ModuleStem == module
                || stack.Frames[i + 1].Trust <= FrameTrust.Scan)
            {
                continue;
            }

            seen++;
            if (CallTargetReader.Read(memory, stack.Frames[i + 1]) is { } target && target != frames[i].FunctionStart
                && modules.Find(target) is { } called && called.BaseAddress + frames[i].ModuleOffset == frames[i].InstructionPointer
                && symbols.NameOf(target, target) is { } name && name.Start == target && name.Name != frames[i].Function)
            {
                named ??= frames.ToBuilder();
                named[i] = frames[i] with { EnteredAs = name.Name };
            }
        }

        return named?.MoveToImmutable() ?? frames;
    }
}
