using System.Collections.Immutable;
using Dump.Model;
using Dump.Model.Process;
using Dump.Readers.Symbols;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Windows.Process;

/// <summary>Turns walked frames into named ones.</summary>
internal static class FrameNaming
{
    /// <summary>
    /// Names the frames of a stack, with their lines. A caller's address is that of the instruction after its call, so the call itself is looked up.
    /// </summary>
    public static ImmutableArray<StackFrame> Name(WalkedStack stack, IModuleMap modules, ISymbols symbols)
    {
        ImmutableArray<StackFrame>.Builder frames = ImmutableArray.CreateBuilder<StackFrame>(stack.Frames.Count);
        for (int i = 0; i < stack.Frames.Count; i++)
        {
            WalkedFrame walked = stack.Frames[i];
            ulong address = walked.InstructionPointer;
            ulong lookup = i == 0 || address == 0 ? address : address - 1;
            ModuleSnapshot? module = modules.Find(lookup);
            FunctionName? name = module is null ? null : symbols.NameOf(lookup, walked.FunctionStart);
            ulong? start = walked.FunctionStart ?? name?.Start;
            frames.Add(new StackFrame(
                address,
                walked.StackPointer,
                module?.Name,
                module is null ? null : address - module.BaseAddress,
                name?.Name,
                name is { } found ? address - found.Start : null,
                walked.Trust,
                name?.Source ?? SymbolSource.None)
            {
                FunctionStart = start,
                Source = module is null ? null : symbols.SourceOf(lookup),

                // By the file that the function begins in: the line of the place itself may be one of a function that is inlined there.
                IsLibrary = module is not null && start is { } beginning && symbols.SourceOf(beginning) is { } first && LibraryCode.IsFile(first.File),
            });
        }

        return frames.MoveToImmutable();
    }
}
