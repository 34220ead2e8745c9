using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Model.Reported;

/// <summary>What every document on a process says: where the data come from, and what they lack.</summary>
public abstract record ProcessDocument
{
    /// <summary>Name and version of the form.</summary>
    [JsonPropertyOrder(-100)]
    public abstract string Schema { get; }

    /// <summary>Where the data come from.</summary>
    [JsonPropertyOrder(-90)]
    public required ReportedSource Source { get; init; }

    /// <summary>The process and its system.</summary>
    [JsonPropertyOrder(-80)]
    public ReportedProcess Process { get; init => field = value ?? new ReportedProcess(); } = new();

    /// <summary>All threads of the process, in the order of the dump: whom words name. Of the JSON documents, reports alone list them.</summary>
    [JsonIgnore]
    public virtual ImmutableArray<ReportedThread> Threads { get; init => field = value.OrEmpty(); } = [];

    /// <summary>What is missing in the dump, with capture advice.</summary>
    [JsonPropertyOrder(60)]
    public ImmutableArray<MissingData> Missing { get; init => field = value.OrEmpty(); } = [];

    /// <summary>What was wrong with the input.</summary>
    [JsonPropertyOrder(70)]
    public ImmutableArray<ReaderProblem> Problems { get; init => field = value.OrEmpty(); } = [];
}

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

    /// <summary>The .NET runtime with its release, for example <c>.NET 10.0.12</c>; absent without one, and where it could not be read.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Runtime { get; init; }

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
    /// What people call the process: the service and what runs it (<c>shop (dotnet shop.dll)</c>), else its file name; null where neither is known.
    /// </summary>
    [JsonIgnore]
    public string? Title => Program is { } program ? $"{(program.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) ? program[..^4] : program)} ({Name} {program})" : Name;

    /// <summary>The one word by which lists tell programs apart: the assembly that a host runs, else the file name; null where neither is known.</summary>
    [JsonIgnore]
    public string? Service => Program ?? Name;

    /// <summary>
    /// Name of the machine as the process' own environment has it (<c>COMPUTERNAME</c>, on Linux <c>HOSTNAME</c>), or null when that is not in the dump.
    /// </summary>
    public string? Machine { get; init; }
}

/// <summary>Where the data of a report come from.</summary>
/// <param name="DisplayName">File name or process, for people.</param>
/// <param name="Kind">One phrase: <c>Windows minidump, full memory</c>.</param>
/// <param name="FileSize">Size in bytes, or null for a live process.</param>
/// <param name="Captured">When the data were captured (UTC, whole seconds), or null.</param>
/// <param name="Comment">The writer's own words with their line feeds, cleaned, or null.</param>
public sealed record ReportedSource(
    string DisplayName,
    string Kind,
    [property: JsonPropertyName("size"), JsonPropertyOrder(2)] long? FileSize,
    [property: JsonPropertyOrder(3)] DateTime? Captured,
    [property: JsonPropertyOrder(4)] string? Comment)
{
    /// <summary>File name or process, for people.</summary>
    [JsonPropertyName("name"), JsonPropertyOrder(0)]
    public string DisplayName { get; init => field = value ?? ""; } = DisplayName ?? "";

    /// <summary>One phrase: <c>Windows minidump, full memory</c>.</summary>
    [JsonPropertyOrder(1)]
    public string Kind { get; init => field = value ?? ""; } = Kind ?? "";

    /// <summary>The first of two dumps of the process, where the report is on the second; absent for one.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(5)]
    public EarlierSource? Earlier { get; init; }

    /// <summary>
    /// How the managed half was read, where another process under Wine or the installed .NET Framework did that, or what DbgShim says of the runtimes; else
    /// absent.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(6)]
    public string? ManagedHalf { get; init; }

    /// <summary>File names of the PDB files that names come from; absent when none was used.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(7)]
    public ImmutableArray<string> Symbols { get; init => field = value.OrEmpty(); } = [];
}
