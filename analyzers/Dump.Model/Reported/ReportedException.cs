using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Model.Reported;

/// <summary>The exception or signal that made the writer dump the process, which need not be a crash: that is what DUMP8001 judges.</summary>
public sealed record ReportedException
{
    /// <summary>The thread that raised it or got it; null when it is not known which did.</summary>
    [JsonPropertyName("thread")]
    public uint? ThreadId { get; init; }

    /// <summary>On Windows the code; absent on Linux, and where the .NET runtime had the dump written, which records none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ulong? Code { get; init; }

    /// <summary>On Linux the signal's number; absent on Windows.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? Signal { get; init; }

    /// <summary>Address of the instruction, or null when not recorded.</summary>
    public ulong? Address { get; init; }

    /// <summary>What the instruction did to <see cref="AccessedAddress"/>.</summary>
    public MemoryAccess Access { get; init; }

    /// <summary>Address in memory that could not be read, written or executed, or null.</summary>
    public ulong? AccessedAddress { get; init; }

    /// <summary>For a fast fail, why (<c>FAST_FAIL_</c> of winnt.h); absent for others.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public uint? Subcode { get; init; }

    /// <summary>The program's exception object, then those inside of it; empty when there is none or it could not be read.</summary>
    public ImmutableArray<ThrownException> Thrown { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Makes one of a fact.</summary>
    public static ReportedException Of(RecordedException exception) => new()
    {
        ThreadId = exception.ThreadId,
        Code = exception.Code,
        Signal = exception.Signal,
        Address = exception.Address,
        Access = exception.Access,
        AccessedAddress = exception.AccessedAddress,
        Subcode = exception.Subcode,
        Thrown = exception.Thrown,
    };
}
