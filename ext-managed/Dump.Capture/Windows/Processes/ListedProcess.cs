namespace Dump.Capture.Windows.Processes;

/// <summary>A process as the system lists it, which needs no rights over it.</summary>
/// <param name="Id">Process id.</param>
/// <param name="Program">File name of its program, as the system has it.</param>
/// <param name="Threads">How many threads it has.</param>
internal readonly record struct ListedProcess(int Id, string Program, int Threads);
