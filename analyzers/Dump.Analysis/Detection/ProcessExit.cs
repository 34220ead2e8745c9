using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Analysis.Detection;

/// <summary>An exiting process: from a certain moment on the system has ended every thread but the one that runs the libraries' detach calls.</summary>
/// <param name="Thread">The thread that ends the process, or null when it is not known or not in the dump.</param>
/// <param name="IsAlone">True when the dump lists all threads and every other one has ended; then nothing else of the process can act any more.</param>
/// <param name="Evidence">Why the process is known to exit.</param>
public sealed record ProcessExit(ThreadSnapshot? Thread, bool IsAlone, Evidence Evidence)
{
    /// <summary>
    /// The exit of a process, or null when it is not known to exit: by the loader's own record, or by the function that runs the detach calls on a stack.
    /// </summary>
    public static ProcessExit? Find(ProcessSnapshot snapshot)
    {
        ThreadSnapshot[] detaching = [.. snapshot.Threads.Where(t => !t.HasExited
            && t.Stack.Frames.Any(f => f.Trust > FrameTrust.Scan && f.Is("ntdll", "LdrShutdownProcess")))];
        Evidence evidence;
        if (snapshot.Loader.ShutdownInProgress == true)
        {
            evidence = new Evidence(EvidenceSource.Memory, "PEB_LDR_DATA.ShutdownInProgress is set", null, snapshot.Loader.ShutdownThreadId);
        }
        else if (detaching.Length > 0)
        {
            evidence = new Evidence(EvidenceSource.Stack, "ntdll!LdrShutdownProcess, which runs the detach calls, is on a thread's stack");
        }
        else
        {
            return null;
        }

        ThreadSnapshot? thread = snapshot.Loader.ShutdownThreadId is { } id
            ? snapshot.Threads.FirstOrDefault(t => t.Id == id && !t.HasExited)
            : detaching is [var only] ? only : null;
        bool isAlone = thread is not null && snapshot.Available.AllThreads && snapshot.Threads.All(t => t.Id == thread.Id || t.HasExited);
        return new ProcessExit(thread, isAlone, evidence);
    }
}
