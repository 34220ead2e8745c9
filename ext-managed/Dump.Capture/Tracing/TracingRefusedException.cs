namespace Dump.Capture.Tracing;

/// <summary>The kernel does not let this program trace a process.</summary>
internal sealed class TracingRefusedException(int process) : Exception($"Process {process} may not be traced.");
