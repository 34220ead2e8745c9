using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis.Detection;
using Dump.Analysis.Knowledge;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors;

/// <summary>DUMP8001: the dump was written because the process crashed, not because it hangs.</summary>
public sealed class CrashDetector : IDetector
{
    // Frames between an exception that nobody handles and the report of it: kernelbase and ntdll call these, Windows Error Reporting's client comes after them.
    private static readonly string[] s_unhandled =
    [
        "UnhandledExceptionFilter", "RtlpUnhandledExceptionFilter2", "RtlReportException", "RtlReportFatalFailure", "WerpReportFault",
        SilentExit,
    ];

    private static readonly string[] s_system = ["ntdll", "kernelbase", "kernel32"];

    /// <summary>Reports an exit, which without an exception is none of a crash.</summary>
    private const string SilentExit = "RtlReportSilentProcessExit";

    private static readonly Evidence s_createdump = new(
        EvidenceSource.Memory,
        "the runtime has started a process and waits for its end while it dispatches an exception, or for managed code: that is createdump");

    private const int InnermostFrames = 12;

    /// <summary>Recursion that programs mean is seldom this deep.</summary>
    private const int EndlessRecursion = 200;

    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        DetectorIds.Crashed,
        "Crashed, not hung",
        "The dump was written for an exception or a signal that ends the process.",
        "the exception that the dump's writer recorded (where it recorded none, this is no dump of a crash as far as the dump tells)",
        DetectorFamily.Crash)
    {
        StandsApart = true,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context) => DetectorOutcomes.From(Descriptor, context.Snapshot.Exception switch
    {
        { } exception when IsCrash(context.Snapshot, exception) => [Judge(context, exception)],

        // The .NET runtime on Windows has its dump written without the exception (seen of createdump of .NET 10).
        // Other writers may come while the system still asks its filter for unhandled exceptions, or reports one.
        null => [.. CrashedThreads(context.Snapshot).Select(t => Judge(context, new RecordedException(t)))],
        _ => [],
    });

    /// <summary>The threads that crashed; empty where none did, or it is not known which.</summary>
    internal static ImmutableArray<uint> CrashedThreads(ProcessSnapshot snapshot) => snapshot.Exception is { } exception
        ? exception.ThreadId is { } raiser && IsCrash(snapshot, exception) ? [raiser] : []
        : [.. snapshot.Threads.Where(t => EndsItself(t.Stack.Frames) || Unhandled(t.Stack.Frames) is { Function: not SilentExit }).Select(t => t.Id)];

    /// <summary>True for an exception that ends the process, or a signal that the kernel sent for what the thread did or the process sent itself.</summary>
    internal static bool IsCrash(ProcessSnapshot snapshot, RecordedException exception) => exception switch
    {
        _ when snapshot.Unreal is { IsNoCrash: true } => false,
        { IsRuntimeEnding: true } => true,
        { Code: { } code } => (!ExceptionCodes.IsRequest(code) || EndsInBreakpoint(exception))
            && snapshot.Source.Comment?.Contains("First chance exception", StringComparison.Ordinal) != true,
        { Signal: LinuxSignals.Abort } => exception is { SignalCode: LinuxSignals.SentToThread, SenderProcessId: { } sender } && sender == snapshot.ProcessId
            // The same is recorded where somebody outside of the container sent it: then no exception is in flight.
            || exception is { SignalCode: LinuxSignals.SentByUser, SenderProcessId: 0, Thrown.IsEmpty: false }

            // How it came is not recorded: old versions of createdump write this signal into each core.
            || (exception is { SignalCode: null, ThreadId: { } thread } && snapshot.Thread(thread) is { } ending
                && ending.Stack.Frames.Any(f => f is { Function: "abort", Trust: > FrameTrust.Scan })),

        // Debuggers stop programs by a trap; of other signals it is not known here whether somebody sent them.
        { Signal: { } signal, SignalCode: null } => LinuxSignals.MeaningOf(signal) is not null && signal != LinuxSignals.Trap,
        { Signal: { } signal } => LinuxSignals.MeaningOf(signal) is not null && exception.SignalCode > 0,
        _ => false,
    };

    /// <summary>True for a breakpoint that is no request for a dump: the program cannot go on behind it, or nobody handled it.</summary>
    private static bool EndsInBreakpoint(RecordedException exception) =>
        exception.IsTrap || (exception.IsFromCrashpad && exception.Code is { } code && ExceptionCodes.IsBreakpoint(code));

    private Verdict Judge(AnalysisContext context, RecordedException exception)
    {
        // A Linux core has the thread as it got the signal, and no other moment.
        bool isOwnMoment = !exception.Stack.Frames.IsEmpty;
        ImmutableArray<StackFrame> frames = isOwnMoment ? exception.Stack.Frames : ThreadOf(context, exception)?.Stack.Frames ?? [];
        Evidence? unhandled = NobodyHandledIt(context, exception);
        bool endedItself = EndsItself(frames);
        int? own = context.Application.Innermost(frames);
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = Descriptor.Title,
            Confidence = unhandled is null || (!IsRecorded(exception) && !endedItself && exception.Thrown.IsEmpty) ? Confidence.Likely : Confidence.Confirmed,
            Failure = endedItself ? "Environment.FailFast" : CrashWords.Kind(exception),
            Claims = [.. Claims(context, exception, frames, endedItself), .. IsRecorded(exception) ? [Ending(unhandled)] : (Claim[])[]],
            Threads = exception.ThreadId is { } raiser ? [raiser] : [],
            Stacks = frames.IsEmpty || exception.ThreadId is not { } shown ? []
                : [new StackExcerpt(shown, Role(exception), Shown(frames, own)) { IsOfException = isOwnMoment }],
            LookAt = own is { } index && exception.ThreadId is { } blamed ? [new CodePlace(blamed, Place(frames[index])) { Source = frames[index].Source }] : [],
            Remedies = [Advice(context.Snapshot, exception, endedItself)],
        };
    }

    private static IEnumerable<Claim> Claims(AnalysisContext context, RecordedException exception, ImmutableArray<StackFrame> frames, bool endedItself)
    {
        if (!IsRecorded(exception) && !endedItself && !exception.IsRuntimeEnding)
        {
            yield return new Claim(
                $"{Who(context, exception)} has crashed: {Place(Unhandled(frames)!)} on its stack asks what to do with an exception that nothing handled.",
                Confidence.Likely, [new Evidence(EvidenceSource.Stack, "the frames; the dump's writer recorded no exception")]);
        }
        else if (!IsRecorded(exception) && !endedItself)
        {
            yield return new Claim($"{Who(context, exception)} ends the process: the .NET runtime has this dump written on it.",
                exception.Thrown.IsEmpty ? Confidence.Likely : Confidence.Confirmed, [s_createdump]);
        }
        else if (!IsRecorded(exception))
        {
            yield return new Claim($"{Who(context, exception)} ends the process: it called Environment.FailFast.",
                Confidence.Confirmed, [new Evidence(EvidenceSource.Stack, "System.Environment.FailFast on its stack")]);
            yield break;
        }

        if (IsRecorded(exception))
        {
            Evidence recorded = new(EvidenceSource.DumpStream, "the exception that the dump's writer recorded", exception.Address);
            // On Linux the innermost frame may be the runtime's handler, which waits for createdump.
            string? where = exception.Stack.Frames is [{ Module: not null } first, ..] ? Place(first)
                : exception is { IsTrap: true, Address: { } address } ? string.Create(CultureInfo.InvariantCulture, $"0x{address:x}")
                : null;
            yield return new Claim(
                $"{Who(context, exception)} {CrashWords.Sentence(exception, where, context.Snapshot.System.Architecture)}.",
                Confidence.Confirmed, [recorded]);
            if (exception.MisnamedThread is { } misnamed)
            {
                yield return new Claim(
                    exception.ThreadId is null
                        ? $"Which thread did is unknown: the dump's writer names {context.Names.Thread(misnamed)}, on whose stack it did not happen."
                        : $"The dump's writer names {context.Names.Thread(misnamed)} instead, on whose stack it did not happen.",
                    Confidence.Confirmed, [new Evidence(EvidenceSource.DumpStream, "the exception's stack pointer and the bounds of the threads' stacks")]);
            }
        }

        if (endedItself)
        {
            yield return new Claim("The program ended itself: it called Environment.FailFast.", Confidence.Confirmed,
                [new Evidence(EvidenceSource.Stack, "System.Environment.FailFast on its stack")]);
        }
        else if (exception.Thrown is [var thrown, .. var inner])
        {
            string causes = string.Concat(inner.Select(i => $", caused by {CrashWords.Object(i)}"));
            yield return new Claim(
                $"The exception is {CrashWords.Object(thrown)}{causes}.", Confidence.Confirmed, [new Evidence(EvidenceSource.Memory, "the exception object")]);
        }

        if (Recursion(frames) is { } recursion)
        {
            yield return new Claim($"{Place(recursion.Frame)} stands {recursion.Times} times on its stack: it calls itself without end.", Confidence.Likely,
                [new Evidence(EvidenceSource.Stack, "the frames")]);
        }

        if (context.Application.Innermost(frames) is null && frames.FirstOrDefault(context.Application.Contains) is { } guessed)
        {
            yield return new Claim($"The program's own code below it is perhaps {Place(guessed)}.", Confidence.Suspected,
                [new Evidence(EvidenceSource.Stack, "found by a search of the stack")]);
        }
    }

    private static ThreadSnapshot? ThreadOf(AnalysisContext context, RecordedException exception) =>
        exception.ThreadId is { } id ? context.Thread(id) : null;

    private static string Who(AnalysisContext context, RecordedException exception) =>
        exception.ThreadId is { } id ? context.Names.ThreadCapitalised(id) : "A thread";

    /// <summary>False for what no writer recorded and the stack tells.</summary>
    private static bool IsRecorded(RecordedException exception) => exception.Code is not null || exception.Signal is not null;

    private static string Role(RecordedException exception) =>
        !IsRecorded(exception) ? "ends the process" : exception.Signal is null ? "raised it" : "got the signal";

    /// <summary>The innermost frames, or fewer of them and then the program's, where these lie further out, behind those by which a runtime throws.</summary>
    private static ImmutableArray<int> Shown(ImmutableArray<StackFrame> frames, int? own) => own >= InnermostFrames
        ? [.. Enumerable.Range(0, InnermostFrames / 2), .. Enumerable.Range(own.Value, Math.Min(frames.Length - own.Value, InnermostFrames / 2))]
        : [.. Enumerable.Range(0, Math.Min(frames.Length, InnermostFrames))];

    private static Claim Ending(Evidence? unhandled) => unhandled is not null
        ? new Claim("Nothing handled it: the process ends with it.", Confidence.Confirmed, [unhandled])
        : new Claim("The dump was written for it, as is done when nothing handles it.", Confidence.Likely,
            [new Evidence(EvidenceSource.Rule, "writers record the exception for which they write")]);

    /// <summary>The innermost frame in which the system has found that nothing handles an exception, among those that no search has found; null without one.</summary>
    private static StackFrame? Unhandled(ImmutableArray<StackFrame> frames) =>
        frames.FirstOrDefault(f => f.Trust > FrameTrust.Scan && s_system.Contains(f.ModuleStem) && s_unhandled.Contains(f.Function));

    /// <summary>For <c>Environment.FailFast</c> the runtime makes an exception up, which says nothing.</summary>
    private static bool EndsItself(ImmutableArray<StackFrame> frames) =>
        frames.Any(f => f is { ModuleStem: "system.private.corelib", Function: "System.Environment.FailFast" });

    private static string Advice(ProcessSnapshot snapshot, RecordedException exception, bool endedItself) => snapshot.System.Family switch
    {
        _ when !IsRecorded(exception) && !endedItself && !exception.IsRuntimeEnding =>
            "Begin with the thread that crashed (WinDbg: ~*k, then !analyze -v): the other threads seldom explain it.",
        _ when !IsRecorded(exception) =>
            "Begin with the thread that ends the process (clrstack), and with the message that it gave: the other threads seldom explain it.",
        OperatingSystemFamily.Linux when !snapshot.Modules.Any(m => m.IsDotNetRuntime) && exception.Thrown.IsEmpty =>
            "Begin with the thread that got the signal (gdb PROGRAM CORE: bt): the other threads seldom explain a crash.",
        OperatingSystemFamily.Linux =>
            "Begin with the thread that got the signal (dotnet-dump analyze: clrthreads, pe, clrstack; gdb: bt): the other threads seldom explain a crash.",
        _ => "Open the dump at its exception (WinDbg: .ecxr, then k; !analyze -v): the other threads seldom explain a crash.",
    };

    private static string Place(StackFrame frame) => FrameWords.Place(frame.Module, frame.Function, frame.ModuleOffset);

    /// <summary>The function that stands most often on a stack, where that is so often that it recurses without end; null otherwise.</summary>
    private static (StackFrame Frame, int Times)? Recursion(ImmutableArray<StackFrame> frames) =>
        frames.Where(f => f.Module is not null).GroupBy(f => (f.Module, f.Function, f.Function is null ? f.ModuleOffset : null))
            .Select(g => (Frame: g.First(), Times: g.Count())).Where(g => g.Times >= EndlessRecursion).OrderByDescending(g => g.Times)
            .Select(g => ((StackFrame, int)?)g).FirstOrDefault();

    /// <summary>What shows that no handler took it, or null.</summary>
    private static Evidence? NobodyHandledIt(AnalysisContext context, RecordedException exception) => exception switch
    {
        { Signal: not null, SignalCode: null } => null,
        { Signal: not null } => new Evidence(EvidenceSource.DumpStream, "a core is written for a signal that has no handler"),
        { Code: { } code } when ExceptionCodes.AlwaysEnds(code) => new Evidence(EvidenceSource.Rule, "no handler is asked for this code"),
        { IsRuntimeEnding: true } => s_createdump,
        _ when !IsRecorded(exception) && ThreadOf(context, exception) is { } ending && EndsItself(ending.Stack.Frames) =>
            new Evidence(EvidenceSource.Stack, "System.Environment.FailFast on its stack"),
        _ when !IsRecorded(exception) => null,
        _ when context.Snapshot.Source.Comment?.Contains("Unhandled exception", StringComparison.Ordinal) == true =>
            new Evidence(EvidenceSource.DumpStream, "the comment of the dump's writer"),
        _ when ThreadOf(context, exception) is { } thread && Unhandled(thread.Stack.Frames) is { } frame =>
            new Evidence(EvidenceSource.Stack, $"{frame.Function} on the thread's stack"),
        _ => null,
    };
}

/// <summary>A recorded exception or signal in words.</summary>
internal static class CrashWords
{
    /// <summary>The same in all dumps of one crash: the exception object's type, else code or signal, without addresses.</summary>
    public static string Kind(RecordedException exception) => exception switch
    {
        { Thrown: [{ TypeName: var type }, ..] } => type,
        { Signal: { } signal } => LinuxSignals.NameOf(signal),
        { Code: { } code, Subcode: { } reason } => string.Create(CultureInfo.InvariantCulture, $"{Code(code)} {reason}"),
        { Code: { } code } => Code(code),
        { IsRuntimeEnding: true } => "unknown .NET exception",
        _ => "unknown exception",
    };

    /// <summary>What happened, with its article and place: <c>raised an access violation (0xc0000005) at shop+0x20: it wrote to 0x18</c>.</summary>
    /// <param name="exception">The exception.</param>
    /// <param name="place">Where, or null.</param>
    /// <param name="architecture">Of the process.</param>
    public static string Sentence(RecordedException exception, string? place, ProcessorArchitecture architecture)
    {
        string name = exception.Signal is { } signal
            ? $"got {LinuxSignals.NameOf(signal)}{(LinuxSignals.MeaningOf(signal) is { } meaning ? $" ({meaning})" : "")}"
            : "raised " + (exception.Code is { } code ? WithArticle(ExceptionCodes.NameOf(code) is { } known ? $"{known} ({Code(code)})" : $"exception {Code(code)}")
                : "an exception");
        return $"{name}{(place is null ? "" : $" at {place}")}{Detail(exception, architecture)}";
    }

    /// <summary>An exception object: <c>System.InvalidOperationException: "no order"</c>.</summary>
    public static string Object(ThrownException thrown) => thrown.Message is { Length: > 0 } message ? $"{thrown.TypeName}: \"{message}\"" : thrown.TypeName;

    private static string Detail(RecordedException exception, ProcessorArchitecture architecture) => exception switch
    {
        { IsTrap: true } => ": the program ended itself, as a failed check does (int3, ud2)",

        // For an address outside of the architecture's range the processor does not tell it (Intel SDM, general-protection exception).
        { AccessedAddress: ulong.MaxValue, Access: MemoryAccess.Read } when architecture == ProcessorArchitecture.X64 =>
            ": it used an address that no memory can have, which the processor does not tell",
        { Signal: LinuxSignals.SegmentationFault, SignalCode: LinuxSignals.SentByKernel } =>
            ": the kernel tells no address, as for one that no memory can have",
        { AccessedAddress: { } address } => string.Create(CultureInfo.InvariantCulture, $": it {Accessed(exception.Access)} 0x{address:x}"),
        { Subcode: { } reason } => string.Create(
            CultureInfo.InvariantCulture, $": {ExceptionCodes.FastFailReason(reason) ?? "for a reason that is not known here"} (subcode {reason})"),
        _ => "",
    };

    private static string Accessed(MemoryAccess access) => access switch
    {
        MemoryAccess.Read => "read from",
        MemoryAccess.Write => "wrote to",
        MemoryAccess.Execute => "executed code at",
        _ => "accessed",
    };

    private static string WithArticle(string noun) => (noun[0] is 'a' or 'e' or 'i' or 'o' or 'u' ? "an " : "a ") + noun;

    private static string Code(uint code) => string.Create(CultureInfo.InvariantCulture, $"0x{code:x8}");
}
