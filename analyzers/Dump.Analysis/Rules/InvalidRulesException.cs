namespace Dump.Analysis.Rules;

/// <summary>A list of rules that a user may bring (known modules, known issues, stack tags) does not have the documented form.</summary>
/// <param name="message">What is wrong, and in which entry.</param>
/// <param name="inner">The cause, or null.</param>
public sealed class InvalidRulesException(string message, Exception? inner = null) : Exception(message, inner);
