using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Windows.Process;

namespace Dump.Readers.Windows.Waits;

/// <summary>A thread while its waits are being classified: what the dump has of it.</summary>
/// <param name="Saved">The thread list's entry.</param>
/// <param name="Environment">Its TEB, or null when that is not readable.</param>
/// <param name="Walked">The walked stack, with registers.</param>
/// <param name="Frames">The same frames with names; equal in number.</param>
/// <param name="End">Why the stack ends.</param>
internal sealed record WindowsThread(
    MinidumpThread Saved,
    ThreadEnvironmentBlock? Environment,
    IReadOnlyList<WalkedFrame> Walked,
    ImmutableArray<StackFrame> Frames,
    StackEnd End)
{
    private readonly (string Name, int Index)? _named = SystemCalls.Of(Frames, Walked is [{ Registers.Architecture: ProcessorArchitecture.X86 }, ..]);

    /// <summary>Thread id.</summary>
    public uint Id => Saved.Id;

    /// <summary>Registers of the innermost frame; null when the stack was not walked.</summary>
    public IFrameRegisters? Registers => Walked.Count > 0 ? Walked[0].Registers : null;

    /// <summary>The system call that the thread is in and the index of its stub's frame; null when it is in none.</summary>
    public (string Name, int Index)? SystemCall => _named ?? (NumberedCall is { } call ? (call.Name, 0) : null);

    /// <summary>Name of the system call by its number or its handle, where no image names it, and how it is known; else null.</summary>
    public (string Name, Evidence How)? NumberedCall { get; init; }

    /// <summary>Whose code made the system call that the thread is in.</summary>
    public WaitCaller Caller => Frames.Skip((SystemCall?.Index ?? 0) + 1).FirstOrDefault() switch
    {
        null or { Trust: FrameTrust.Scan } => WaitCaller.Unknown,
        { ModuleStem: "ntdll" } => WaitCaller.Ntdll,
        _ => WaitCaller.Other,
    };

    /// <summary>The innermost frames that lie in ntdll, up to the first that does not.</summary>
    public ImmutableArray<StackFrame> NtdllRun { get; } = [.. Frames.TakeWhile(f => f.ModuleStem == "ntdll")];

    /// <summary>Threads of one dump are told apart by their ids: comparing all that was read of them would compare stacks.</summary>
    public bool Equals(WindowsThread? other) => other is not null && Id == other.Id;

    /// <inheritdoc/>
    public override int GetHashCode() => (int)Id;

    /// <summary>What has to be said with every fact that rests on this thread's registers; empty where nothing has.</summary>
    public ImmutableArray<Evidence> Cautions => Registers is Arm64Registers
        ? [new Evidence(
            EvidenceSource.Rule,
            "the rules for ARM64 registers and structures rest on documentation and on x64; no real ARM64 dump of a hang has confirmed them")]
        : [];

    /// <summary>The lowest trust among the first frames, and never more than derived on ARM64, whose rules no real dump has confirmed.</summary>
    /// <param name="count">How many frames matter.</param>
    public Grade TrustOf(int count) =>
        Frames.Take(count).Any(f => f.Trust == FrameTrust.Scan) ? Grade.Suspected
        : Registers is Arm64Registers ? Grade.Derived
        : Grade.Proven;
}
