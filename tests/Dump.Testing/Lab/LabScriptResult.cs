namespace Dump.Testing.Lab;

/// <summary>How a lab script ended and what it printed.</summary>
internal sealed record LabScriptResult(int ExitCode, string Output, string Errors);
