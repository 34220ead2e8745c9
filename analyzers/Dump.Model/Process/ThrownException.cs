namespace Dump.Model.Process;

/// <summary>An exception object of the program.</summary>
/// <param name="TypeName">Full name of its type (sanitised).</param>
/// <param name="Message">Its message (sanitised, cut), or null where it has none or it could not be read.</param>
public sealed record ThrownException(string TypeName, string? Message);
