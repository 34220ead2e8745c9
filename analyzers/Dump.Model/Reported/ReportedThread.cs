using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Model.Reported;

/// <summary>A thread of the process.</summary>
/// <param name="Id">Operating system id.</param>
/// <param name="Index">Number of the thread in the dump, from 0 on: what debuggers call it by.</param>
/// <param name="Name">Its name, or null when it has none or the dump does not say.</param>
public sealed record ReportedThread(
    [property: JsonPropertyOrder(1), JsonRequired] uint Id,
    [property: JsonPropertyOrder(0), JsonRequired] int Index,
    [property: JsonPropertyOrder(2)] string? Name)
{
    /// <summary>Its number in the .NET runtime, or null for one that runs no managed code.</summary>
    [JsonPropertyOrder(3)]
    public int? ManagedId { get; init; }

    /// <summary>Address of the thread environment block, or null when unknown.</summary>
    [JsonPropertyOrder(4)]
    public ulong? Teb { get; init; }

    /// <summary>Address of the start routine, or null when not recorded.</summary>
    [JsonPropertyOrder(5)]
    public ulong? StartAddress { get; init; }

    /// <summary>True when it holds the loader's work queue (Windows 10 and later); null when unknown.</summary>
    [JsonPropertyName("loadOwner"), JsonPropertyOrder(6)]
    public bool? IsLoadOwner { get; init; }

    /// <summary>What it was doing.</summary>
    [JsonPropertyOrder(7)]
    public ThreadActivityKind Activity { get; init; }

    /// <summary>Name of the system call that it is in, or null.</summary>
    [JsonPropertyOrder(8)]
    public string? SystemCall { get; init; }

    /// <summary>Processor time in user mode, or null when not recorded.</summary>
    [JsonPropertyOrder(9)]
    public long? UserMicroseconds { get; init; }

    /// <summary>Processor time in kernel mode, or null when not recorded.</summary>
    [JsonPropertyOrder(10)]
    public long? KernelMicroseconds { get; init; }

    /// <summary>What it used of the processor between two samples or dumps; absent without an earlier one.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(11)]
    public ReportedUse? RecentUse { get; init; }

    /// <summary>True when it has called the window manager; absent when unknown.</summary>
    [JsonPropertyName("guiThread"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(12)]
    public bool? IsGuiThread { get; init; }

    /// <summary>
    /// Its COM apartment, by COM's own undocumented data; absent when it uses no COM, when its TEB is not in the dump, or when the system is not known.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(13)]
    public ComApartmentKind? Apartment { get; init; }

    /// <summary>The wait for objects or messages that it is in; absent when it is in none or its arguments are unknown.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(14)]
    public ReportedMessageWait? MessageWait { get; init; }

    /// <summary>Window messages that its loops are handling, innermost first; absent when none is known.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(15)]
    public ImmutableArray<ReportedMessage> Messages { get; init => field = value.OrEmpty(); } = [];

    /// <summary>True when the writer recorded that it had already ended; else absent.</summary>
    [JsonPropertyName("exited"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(16)]
    public bool HasExited { get; init; }

    /// <summary>Why its stack has no further frames; null when unknown.</summary>
    [JsonPropertyOrder(17)]
    public StackEnd? StackEnd { get; init; }

    /// <summary>Its frames, innermost first; absent unless all stacks were asked for.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(18)]
    public ImmutableArray<ReportedFrame>? Frames { get; init; }

    /// <summary>Of a 32-bit thread in a 64-bit dump the frames of the 64-bit layer; absent otherwise, and like <see cref="Frames"/>.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(19)]
    public ImmutableArray<ReportedFrame>? EmulationFrames { get; init; }

    /// <summary>Why the stack of the 64-bit layer has no further frames; absent where it is complete and where there is none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(20)]
    public StackEnd? EmulationStackEnd { get; init; }

    /// <summary>
    /// By how much its suspend count exceeds the one that most threads have: somebody has suspended it. 0 for the others then; absent where no thread stands
    /// out or the counts are not recorded.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(21)]
    public int? SuspendedAbove { get; init; }

    /// <summary>True for a living thread of which the data do not tell what it does: a list of waits is not complete where there is one.</summary>
    [JsonIgnore]
    public bool MayWait => !HasExited && new ThreadActivity(Activity, SystemCall, []).MayBeWait;
}

/// <summary>A window message that a thread's loop is handling.</summary>
/// <param name="FrameIndex">Index of the loop's frame.</param>
/// <param name="Window">Handle of the window.</param>
/// <param name="Message">Number of the message.</param>
/// <param name="Grade">How well it is known.</param>
public sealed record ReportedMessage([property: JsonPropertyName("frame"), JsonRequired] int FrameIndex, ulong Window, ulong Message, Grade Grade);

/// <summary>A wait for kernel objects that messages may end as well.</summary>
/// <param name="Function">The function that was called.</param>
/// <param name="WakeMask">Which messages end it: bits <c>QS_KEY</c> and so on of winuser.h.</param>
public sealed record ReportedMessageWait([property: JsonRequired] string Function, ulong WakeMask);

/// <summary>What a thread used of the processor between two samples or dumps.</summary>
/// <param name="UsedMicroseconds">Processor time in between, kernel and user together.</param>
/// <param name="OverMicroseconds">Time between the two.</param>
/// <param name="WasAlwaysReady">True when it never waited in between; null when that was not recorded.</param>
public sealed record ReportedUse(
    [property: JsonRequired] long UsedMicroseconds,
    [property: JsonRequired] long OverMicroseconds,
    [property: JsonPropertyName("alwaysReady")] bool? WasAlwaysReady);
