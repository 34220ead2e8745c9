namespace Dump.Capture.Proc;

/// <summary>A living .NET process that this user may look at.</summary>
/// <param name="Id">Process id.</param>
/// <param name="Runtime">Version of its runtime, as the runtime's folder is called; null where the program has the runtime inside or beside it.</param>
/// <param name="CommandLine">Its command line, sanitised and shortened.</param>
public sealed record DotNetProcess(int Id, string? Runtime, string CommandLine);
