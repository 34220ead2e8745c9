using System.Collections.Frozen;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Windows.Locks;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows.Runtimes;

/// <summary>
/// Names the critical sections of the C runtime: those that its own functions enter, which stand directly outside of ntdll on the stack of a waiter.
/// </summary>
internal static class RuntimeLocks
{
    // The universal runtime's table of locks is entered through __acrt_lock (named with symbols), older ones through the exported _lock; a stream has a lock of
    // its own.
    private static readonly FrozenDictionary<string, string> s_functions = new Dictionary<string, string>
    {
        ["__acrt_lock"] = "C runtime lock, critical section",
        ["_lock"] = "C runtime lock, critical section",
        ["_lock_file"] = "lock of a C runtime stream, critical section",
    }.ToFrozenDictionary();

    /// <summary>Describes the critical sections that threads wait for in functions of the C runtime.</summary>
    /// <param name="process">The process.</param>
    /// <param name="findings">One for each thread, in the threads' order.</param>
    /// <param name="descriptions">Receives them.</param>
    public static void Describe(WindowsProcess process, List<WaitFindings> findings, IDictionary<Resource, ResourceDescription> descriptions)
    {
        for (int i = 0; i < findings.Count; i++)
        {
            WindowsThread thread = process.Threads[i];
            if (findings[i].Waits is [{ Resource: { Kind: ResourceKind.CriticalSection, Identity: not 0 } section }]
                && thread.NtdllRun.Length < thread.Frames.Length
                && thread.Frames[thread.NtdllRun.Length] is { ModuleStem: { } module, Trust: > FrameTrust.Scan } frame && IsRuntime(module)
                && (s_functions.GetValueOrDefault(frame.Function ?? "") ?? s_functions.GetValueOrDefault(frame.EnteredAs ?? "")) is { } name)
            {
                descriptions[section] = new ResourceDescription(name, null);
            }
        }
    }

    /// <summary>ucrtbase, msvcrt, and msvcr with a version number of two or three digits, each also as debug build.</summary>
    private static bool IsRuntime(string module)
    {
        string stem = module.EndsWith('d') ? module[..^1] : module;
        return stem is "ucrtbase" or "msvcrt"
            || (stem.StartsWith("msvcr", StringComparison.Ordinal) && stem.Length is 7 or 8 && stem[5..].All(char.IsAsciiDigit));
    }
}
