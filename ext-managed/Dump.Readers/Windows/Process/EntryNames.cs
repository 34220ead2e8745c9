using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Readers.Instructions;
using Dump.Readers.Symbols;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Windows.Process;

/// <summary>
/// Says by which exported function user32 was entered where its frame has no name: on x64 <c>DispatchMessageW</c> goes on with a jump, so that only symbols
/// would name the frame (public stack: libsdl-org/SDL #10529), but the caller's instruction still names the function that it called.
/// </summary>
internal static class EntryNames
{
    private const string Module = "user32";

    // A stack enters user32 a few times; a damaged one may claim any number.
    private const int MostOfOneStack = 32;

    /// <summary>The same frames, with the entries of user32 that could be told.</summary>
    public static ImmutableArray<StackFrame> Add(ImmutableArray<StackFrame> frames, WalkedStack stack, IMemory memory, ISymbols symbols)
    {
        ImmutableArray<StackFrame>.Builder? named = null;
        int seen = 0;
        for (int i = 0; i + 1 < frames.Length && seen < MostOfOneStack; i++)
        {
            if (frames[i] is not { ModuleStem: Module, Function: null } || frames[i + 1].ModuleStem == Module)
            {
                continue;
            }

            seen++;
            if (stack.Frames[i + 1].Trust > FrameTrust.Scan && CallTargetReader.Read(memory, stack.Frames[i + 1]) is { } target
                && symbols.NameOf(target, target) is { Source: SymbolSource.Export } name && name.Start == target)
            {
                named ??= frames.ToBuilder();
                named[i] = frames[i] with { EnteredAs = name.Name };
            }
        }

        return named?.MoveToImmutable() ?? frames;
    }
}
