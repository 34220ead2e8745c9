using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Reported;

/// <summary>The thread that a person would look at first when there is no verdict.</summary>
/// <param name="ThreadId">The thread.</param>
/// <param name="Role">Why it is shown: it handles the user interface, else it made the writer dump the process, else it is the program's first thread.</param>
/// <param name="Frames">Its frames, innermost first, at most 64.</param>
public sealed record ReportedFocus(
    [property: JsonPropertyName("thread"), JsonRequired] uint ThreadId,
    [property: JsonPropertyName("why")] string? Role,
    ImmutableArray<ReportedFrame> Frames)
{
    /// <summary>Its frames, innermost first, at most 64.</summary>
    public ImmutableArray<ReportedFrame> Frames { get; init => field = value.OrEmpty(); } = Frames.OrEmpty();

    /// <summary>The same as a stack among others.</summary>
    [JsonIgnore]
    public ReportedStack Stack => new(ThreadId, Role, Frames);
}
