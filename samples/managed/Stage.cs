using System.Runtime.InteropServices;

namespace Dump.Samples.Managed;

/// <summary>What every scene needs: threads with roles, and proof that they have reached the wanted state.</summary>
internal class Stage
{
    private static readonly List<object> s_kept = [];
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(3);
    private static readonly TimeSpan s_settle = TimeSpan.FromMilliseconds(300);

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
    public void Role(string role) => Print($"thread {ThreadId()} {role}");

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

    /// <summary>Sleeps for the rest of the process' life.</summary>
    public static void Forever() => Thread.Sleep(Timeout.Infinite);

    private static void Print(string line)
    {
        Console.Out.WriteLine(line);
        Console.Out.Flush();
    }

    private static uint ThreadId() => RuntimeInformation.IsOSPlatform(OSPlatform.Windows) ? GetCurrentThreadId() : (uint)GetThreadId();

    [DllImport("kernel32")]
    private static extern uint GetCurrentThreadId();

    [DllImport("libc", EntryPoint = "gettid")]
    private static extern int GetThreadId();
}
