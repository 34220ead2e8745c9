using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Text;

namespace Dump.Reports;

/// <summary>Threads in words.</summary>
public static class ThreadText
{
    /// <summary>The thread with an id, or null.</summary>
    public static ThreadSnapshot? Find(ProcessSnapshot snapshot, uint id) => snapshot.Threads.FirstOrDefault(t => t.Id == id);

    /// <summary>A thread by number, id and name.</summary>
    public static string Describe(ProcessSnapshot snapshot, uint id) => Find(snapshot, id) is { } thread
        ? Describe(thread)
        : $"thread 0x{id:x} (not in the dump)";

    /// <summary>A thread by number, id and name.</summary>
    public static string Describe(ThreadSnapshot thread)
    {
        string name = thread.Name is { Length: > 0 } text ? $" {SafeText.Quote(text)}" : "";
        return string.Create(CultureInfo.InvariantCulture, $"thread {thread.Index} (0x{thread.Id:x}{name})");
    }

    /// <summary>Processor times in a column: user and kernel seconds, or a question mark when not recorded.</summary>
    public static string Times(ThreadSnapshot thread) => thread.Times is { } times
        ? string.Create(CultureInfo.InvariantCulture, $"user {times.User.TotalSeconds:0.000} s  kernel {times.Kernel.TotalSeconds:0.000} s")
        : "processor time not recorded";
}
