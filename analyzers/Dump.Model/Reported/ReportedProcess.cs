using System.Text.Json.Serialization;
using Dump.Model.Process;

namespace Dump.Model.Reported;

/// <summary>The process that a report is about, and the system it ran on.</summary>
public sealed record ReportedProcess
{
    /// <summary>Process id, or null when not recorded.</summary>
    public uint? Id { get; init; }

    /// <summary>File name of the program, or null.</summary>
    public string? Name { get; init; }

    /// <summary>The assembly that the host <c>dotnet</c> runs, for example <c>shop.dll</c>; absent where the program is a file of its own, or that is unknown.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Program { get; init; }

    /// <summary>One line that names the system, for example <c>Windows 10.0.19045 x64</c>, or null.</summary>
    public string? System { get; init; }

    /// <summary>The family of operating systems where that is not Windows; else absent.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public OperatingSystemFamily Family { get; init; }

    /// <summary>Architecture of the process.</summary>
    public ProcessorArchitecture Architecture { get; init; }

    /// <summary>True when the process ran under Wine.</summary>
    [JsonPropertyName("wine")]
    public bool IsWine { get; init; }

    /// <summary>
    /// Name of the machine as the process' own environment has it (<c>COMPUTERNAME</c>, on Linux <c>HOSTNAME</c>), or null when that is not in the dump.
    /// </summary>
    public string? Machine { get; init; }
}
