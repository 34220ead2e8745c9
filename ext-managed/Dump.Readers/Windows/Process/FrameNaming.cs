using System.Collections.Immutable;
using Dump.Model;
using Dump.Model.Facts;
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
            SourceLocation? source = module is null ? null : symbols.SourceOf(lookup);
            SourceLocation? beginning = module is not null && start is { } first ? symbols.SourceOf(first) : null;

            // By the file that the function begins in: the line of the place itself may be one of a function that is inlined there.
            bool isLibrary = beginning is not null && LibraryCode.IsFile(beginning.File);
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
                // Where nothing says what is inlined, a function of the program may have a line of a library's header: its beginning is the nearest that is
                // known.
                Source = beginning is not null && !isLibrary && source is not null && LibraryCode.IsFile(source.File)
                    ? beginning with { Column = null, IsApproximate = true } : source,
                IsLibrary = isLibrary,
                Inlined = module is null ? [] : symbols.InlinedAt(lookup),
            });
        }

        return frames.MoveToImmutable();
    }
}
