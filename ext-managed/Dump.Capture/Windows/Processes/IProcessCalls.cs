namespace Dump.Capture.Windows.Processes;

/// <summary>What this program asks Windows of all processes, and how it keeps hold of one.</summary>
internal interface IProcessCalls
{
    /// <summary>All processes that run now; empty when they cannot be listed.</summary>
    IReadOnlyList<ListedProcess> Processes();

    /// <summary>Keeps a process open; null when there is none of that id, or it may not even be described.</summary>
    /// <param name="process">Process id.</param>
    IOpenProcess? Open(int process);
}

/// <summary>A process as the system lists it, which needs no rights over it.</summary>
/// <param name="Id">Process id.</param>
/// <param name="Program">File name of its program, as the system has it.</param>
/// <param name="Threads">How many threads it has.</param>
internal readonly record struct ListedProcess(int Id, string Program, int Threads);
