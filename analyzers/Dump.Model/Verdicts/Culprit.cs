namespace Dump.Model;

/// <summary>The code that a verdict blames.</summary>
/// <param name="Module">Module file name.</param>
/// <param name="Callback">The callback that runs, for example <c>TLS callback or DllMain (thread detach)</c>, or null.</param>
/// <param name="ThreadId">The thread it runs on.</param>
public sealed record Culprit(string Module, string? Callback, uint ThreadId);
