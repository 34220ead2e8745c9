using System.Text.Json.Serialization;

namespace Dump.Model.Verdicts;

/// <summary>The code that a verdict blames.</summary>
/// <param name="Module">Module file name.</param>
/// <param name="Callback">The callback that runs, for example <c>TLS callback or DllMain (thread detach)</c>, or null.</param>
/// <param name="ThreadId">The thread it runs on.</param>
public sealed record Culprit([property: JsonRequired] string Module, string? Callback, [property: JsonPropertyName("thread"), JsonRequired] uint ThreadId)
{
    /// <summary>The module's file version, or null when unknown.</summary>
    public string? Version { get; init; }

    /// <summary>Who made the module, as its version resource says, or null when unknown.</summary>
    public string? Vendor { get; init; }

    /// <summary>The window message that the callback handles, for example <c>WM_TIMER</c>, or null when it handles none or it is unknown.</summary>
    public string? Message { get; init; }
}
