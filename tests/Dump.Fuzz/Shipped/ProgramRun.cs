namespace Dump.Fuzz.Shipped;

/// <summary>One start of the program.</summary>
/// <param name="ExitCode">Its exit code; null when it had to be ended.</param>
/// <param name="Processor">Processor time of it and its children.</param>
/// <param name="Memory">The most resident bytes of it or of one of its children.</param>
/// <param name="Output">Standard output.</param>
/// <param name="Errors">Standard error.</param>
internal sealed record ProgramRun(int? ExitCode, TimeSpan Processor, long Memory, string Output, string Errors);
