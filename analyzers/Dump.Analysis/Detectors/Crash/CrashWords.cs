using System.Globalization;
using Dump.Analysis.Knowledge;
using Dump.Model.Process;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors.Crash;

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
