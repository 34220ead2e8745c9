namespace Dump.Benchmarks.Scenarios;

/// <summary>A scenario cannot be measured on this machine; the message says why.</summary>
internal sealed class ScenarioUnavailableException(string message) : Exception(message);
