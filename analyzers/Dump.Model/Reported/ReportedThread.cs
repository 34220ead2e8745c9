namespace Dump.Model.Reported;

/// <summary>A thread of the process, as far as people name it.</summary>
/// <param name="Id">Operating system id.</param>
/// <param name="Index">Number of the thread in the dump, from 0 on: what debuggers call it by.</param>
/// <param name="Name">Its name, or null when it has none or the dump does not say.</param>
public sealed record ReportedThread(uint Id, int Index, string? Name);
