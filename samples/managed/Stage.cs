using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Dump.Samples.Managed;

/// <summary>What every scene needs: threads with roles, and proof that they have reached the wanted state.</summary>
internal class Stage
{
    private static readonly List<object> s_kept = [];
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(3);
    private static readonly TimeSpan s_settle = TimeSpan.FromMilliseconds(300);

    // Longer than it takes to compile what the thread is to do.
    private static readonly TimeSpan s_busy = TimeSpan.FromMilliseconds(400);

    // Weak: scenes let objects of ended threads be collected.
    private readonly ConditionalWeakTable<Thread, StrongBox<uint>> _ids = new();

    public Stage()
    {
#if NET5_0_OR_GREATER
        // The class Process would start a thread that handles signals, which programs without it do not have.
        Print($"pid {Environment.ProcessId}");
#else
        using System.Diagnostics.Process own = System.Diagnostics.Process.GetCurrentProcess();
        Print($"pid {own.Id}");
#endif
        Role("main");
    }

    /// <summary>True when <c>Main</c> returns once the scene stands; its foreground threads keep the process.</summary>
    public bool ReturnsFromMain { get; set; }

    /// <summary>Starts a background thread and prints its id and role.</summary>
    public virtual Thread Start(string role, Action body)
    {
        using ManualResetEventSlim running = new();
        Thread thread = new(() =>
        {
            Role(role);
            running.Set();
            body();
        }) { IsBackground = true, Name = role };
        thread.Start();
        running.Wait();
        return thread;
    }

    /// <summary>Prints the calling thread's id with a role.</summary>
    public void Role(string role)
    {
        _ids.Remove(Thread.CurrentThread);
        _ids.Add(Thread.CurrentThread, new StrongBox<uint>(ThreadId()));
        Print($"thread {ThreadId()} {role}");
    }

    /// <summary>Waits until the condition holds; ends the process with an error after three minutes.</summary>
    public void Until(string what, Func<bool> condition)
    {
        DateTime end = DateTime.UtcNow + s_limit;
        while (!condition())
        {
            if (DateTime.UtcNow > end)
            {
                Print($"failed: {what}");
                Environment.Exit(1);
            }

            Thread.Sleep(20);
        }
    }

    /// <summary>Waits until threads stand in a wait of the runtime.</summary>
    public void UntilBlocked(params Thread[] threads) =>
        Until("threads to block", () => threads.All(t => (t.ThreadState & ThreadState.WaitSleepJoin) != 0));

    /// <summary>Waits until threads of this stage that compute without end have computed for a while, however busy the machine is.</summary>
    public void UntilBusy(params Thread[] threads)
    {
        foreach ((Thread thread, TimeSpan before) in threads.Select(t => (t, ProcessorTime(t))).ToArray())
        {
            Until("threads to compute", () => ProcessorTime(thread) - before > s_busy);
        }
    }

    /// <summary>
    /// Keeps an object reachable, as something that may still use it does; in optimised code a method's variables do not outlive their last use.
    /// </summary>
    public void Keep(object kept) => s_kept.Add(kept);

    /// <summary>Lets the threads settle and says that the scene stands.</summary>
    public void Ready()
    {
        Thread.Sleep(s_settle);
        Print("ready");
    }

    /// <summary>Prints a line that only the tests of the scene know.</summary>
    public void Say(string line) => Print(line);

    /// <summary>Operating system id of the calling thread.</summary>
    public uint CurrentThread => ThreadId();

    /// <summary>Sleeps for the rest of the process' life.</summary>
    public static void Forever() => Thread.Sleep(Timeout.Infinite);

    private static void Print(string line)
    {
        Console.Out.WriteLine(line);
        Console.Out.Flush();
    }

    /// <summary>Processor time of a thread of this process. proc(5): fields 14 and 15 of stat, 12 and 13 behind the name; a hundred ticks a second on x64 and arm64.</summary>
    private TimeSpan ProcessorTime(Thread ofThread)
    {
        uint thread = _ids.TryGetValue(ofThread, out StrongBox<uint>? id) ? id.Value : throw new InvalidOperationException("It is no thread of this stage.");
        if (RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
        {
            using System.Diagnostics.Process own = System.Diagnostics.Process.GetCurrentProcess();
            return own.Threads.Cast<System.Diagnostics.ProcessThread>().Single(t => t.Id == thread).TotalProcessorTime;
        }

        string stat = File.ReadAllText($"/proc/self/task/{thread}/stat");
        string[] fields = stat.Substring(stat.LastIndexOf(')') + 2).Split(' ');
        return TimeSpan.FromMilliseconds((int.Parse(fields[11]) + int.Parse(fields[12])) * 10);
    }

    private static uint ThreadId() => RuntimeInformation.IsOSPlatform(OSPlatform.Windows) ? GetCurrentThreadId() : (uint)GetThreadId();

    [DllImport("kernel32")]
    private static extern uint GetCurrentThreadId();

    [DllImport("libc", EntryPoint = "gettid")]
    private static extern int GetThreadId();
}
