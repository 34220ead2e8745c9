using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Registers;
using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// Names the system call that a thread is in by its number, where no image tells it: small dumps (Windows Error Reporting, Crashpad, <c>procdump -mm</c>) have
/// no code of ntdll. Only what the call's own registers tell is used then, not the frames around, which are guesses in such dumps; nothing of it is more than
/// derived.
/// </summary>
internal static class NumberedCalls
{
    /// <summary>The thread with the call's name and without guessed frames, or null where the number names nothing.</summary>
    public static WindowsThread? Recognise(WindowsProcess process, WindowsThread thread)
    {
        if (thread is not { SystemCall: null, Registers: X64Registers registers, Frames: [{ ModuleStem: "ntdll", Function: null }, ..] }
            || process.System.IsWine || !MayStandBehindCall(process, registers.InstructionPointer)
            || SystemCallNumberLayout.NameOf(registers[X64Register.Rax], process.System.Build) is not { } name)
        {
            return null;
        }

        int known = Math.Max(1, thread.Frames.TakeWhile(f => f.Trust > FrameTrust.Scan).Count());
        return thread with { NumberedCall = name, Frames = thread.Frames[..known], Walked = [.. thread.Walked.Take(known)] };
    }

    /// <summary>What was found of such a thread, with how its call is known.</summary>
    public static WaitFindings Qualify(WindowsProcess process, WindowsThread thread, WaitFindings findings)
    {
        ulong number = ((X64Registers)thread.Registers!)[X64Register.Rax];
        Evidence how = new(
            EvidenceSource.Register,
            string.Create(CultureInfo.InvariantCulture,
                $"RAX is the number of {thread.NumberedCall} on builds {SystemCallNumberLayout.FirstBuild} to {SystemCallNumberLayout.LastBuild}"),
            null,
            number);
        return findings with
        {
            Activity = findings.Activity with { Evidence = [how] },
            Waits = [.. findings.Waits.Select(w => Qualify(process, thread, w, how))],
        };
    }

    private static WaitFact Qualify(WindowsProcess process, WindowsThread thread, WaitFact wait, Evidence how)
    {
        // Without a handle stream the register tells the handle's value alone.
        bool isHandle = process.Dump.Handles is null && thread.NumberedCall == "NtWaitForSingleObject"
            && wait.Resource is { Kind: ResourceKind.KernelObject, Identity: 0 };
        if (isHandle && SystemCallArgument.First(process, thread) is { Value: > 3 and <= uint.MaxValue and var handle } argument && handle % 4 == 0)
        {
            return wait with
            {
                Resource = new Resource(ResourceKind.KernelObject, handle),
                Grade = Grade.Derived,
                Evidence = [new Evidence(EvidenceSource.Register, $"{argument.Place} of the system call; the dump has no handle stream", null, handle), how],
            };
        }

        return wait with { Grade = wait.Grade < Grade.Derived ? wait.Grade : Grade.Derived, Evidence = Sourced(wait.Evidence).Add(how) };
    }

    /// <summary>The evidence without what names the innermost function: it has no name here.</summary>
    private static ImmutableArray<Evidence> Sourced(ImmutableArray<Evidence> evidence) =>
        [.. evidence.Where(e => e.Source != EvidenceSource.Stack || !e.Text.StartsWith("innermost frame", StringComparison.Ordinal))];

    /// <summary>False where the code tells that no system call was made there, or the place is not that of a stub's return.</summary>
    private static bool MayStandBehindCall(WindowsProcess process, ulong address) =>
        SystemCallInstruction.Precedes(process.Dump, address, ProcessorArchitecture.X64)
            ?? address % SystemCallNumberLayout.StubAlignment == SystemCallNumberLayout.ReturnOffset % SystemCallNumberLayout.StubAlignment;
}
