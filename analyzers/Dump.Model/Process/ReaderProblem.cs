using System.Text.Json.Serialization;

namespace Dump.Model.Process;

/// <summary>Something in the input that is not as the format says. The reader went on.</summary>
/// <param name="Where">The structure concerned, for example <c>ThreadList</c>.</param>
/// <param name="Message">What is wrong, one sentence.</param>
/// <param name="Offset">File offset or address, or null.</param>
public sealed record ReaderProblem([property: JsonRequired] string Where, [property: JsonRequired] string Message, ulong? Offset = null)
{
    /// <summary>True when facts of the process may be lost by it, so that finding nothing means nothing; false for what only concerns names.</summary>
    [JsonIgnore]
    public bool LosesFacts { get; init; } = true;

    /// <summary>True when no fact is lost by it, for it only concerns names; else absent.</summary>
    [JsonPropertyName("namesOnly"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool ConcernsNamesOnly { get => !LosesFacts; init => LosesFacts = !value; }
}
