namespace Dump.Fuzz.Oracles;

/// <summary>What must hold for any input does not.</summary>
/// <param name="message">What was found, with the damage where it is known.</param>
internal sealed class OracleException(string message) : Exception(message);
