using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Verdicts;

/// <summary>
/// The innermost function of the program's own, or of a library that is neither the system's nor a framework's, on a thread's stack: where a person reads the
/// code.
/// </summary>
/// <param name="ThreadId">The thread.</param>
/// <param name="Code"><c>module!function</c>, or <c>module+0x1234</c> where the function has no name.</param>
public sealed record CodePlace([property: JsonPropertyName("thread"), JsonRequired] uint ThreadId, [property: JsonRequired] string Code)
{
    /// <summary>Where in the source code the thread stands there; absent when unknown.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public SourceLocation? Source { get; init; }

    /// <summary>
    /// True for an await that the thread waits for in the end: the thread itself is at another place, and the method there has none. Absent otherwise.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyName("awaited")]
    public bool IsAwaited { get; init; }

    /// <summary>The place with file and line where they are known.</summary>
    [JsonIgnore]
    public string Text => Source is null ? Code : $"{Code} {Source.Text}";
}
