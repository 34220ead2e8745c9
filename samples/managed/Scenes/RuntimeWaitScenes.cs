namespace Dump.Samples.Managed.Scenes;

/// <summary>Waits that the runtime makes: for finalizers, for the process to end, for callbacks to return.</summary>
internal static class RuntimeWaitScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("finalizer-cycle", FinalizerCycle);
        scenes.Add("finalizer-sleeps", stage => FinalizerWait(stage, () => Thread.Sleep(Timeout.Infinite)));
        scenes.Add("finalizer-slow", stage => FinalizerWait(stage, () => Thread.Sleep(TimeSpan.FromMinutes(1))));
        scenes.Add("finalizer-alone", stage => FinalizerAlone(stage, () => Thread.Sleep(Timeout.Infinite)));
        scenes.Add("finalizer-alone-slow", stage => FinalizerAlone(stage, () => Thread.Sleep(TimeSpan.FromMinutes(10))));
        scenes.Add("main-returned", MainReturned);
        scenes.Add("exit-cycle", ExitCycle);
        scenes.Add("exit-slow", ExitSlow);
#if NET6_0_OR_GREATER
        scenes.Add("collection-suspended", stage => Suspension(stage, isEndless: true));
        scenes.Add("collection-works", stage => Suspension(stage, isEndless: false));
#endif
        scenes.Add("registration-dispose-cycle", RegistrationCycle);
        scenes.Add("registration-dispose-slow", RegistrationSlow);
        scenes.Add("timer-dispose-cycle", TimerCycle);
        scenes.Add("timer-dispose-slow", TimerSlow);
    }

    private static void MakeGarbage(Action finalize) => _ = new Finalized(finalize);

    private static void Collect()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    /// <summary>A thread waits for the finalizers under a lock which one of them needs.</summary>
    private static void FinalizerCycle(Stage stage)
    {
        object held = new();
        using ManualResetEventSlim needs = new();
        Thread owner = stage.Start("owner", () =>
        {
            lock (held)
            {
                MakeGarbage(() =>
                {
                    stage.Role("finalizer");
                    needs.Set();
                    MonitorScenes.EnterAndLeave(held);
                });
                Collect();
            }
        });
        needs.Wait();
        stage.UntilBlocked(owner);
    }

    /// <summary>Threads wait for a lock whose owner waits for the finalizers.</summary>
    private static void FinalizerWait(Stage stage, Action finalize)
    {
        object held = new();
        using ManualResetEventSlim runs = new();
        Thread owner = stage.Start("owner", () =>
        {
            lock (held)
            {
                MakeGarbage(() =>
                {
                    stage.Role("finalizer");
                    runs.Set();
                    finalize();
                });
                Collect();
            }
        });
        runs.Wait();
        stage.UntilBlocked([owner, .. Enumerable.Range(0, 4).Select(_ => stage.Start("waiter", () => MonitorScenes.EnterAndLeave(held)))]);
    }

    /// <summary>A finalizer does not come back, and nobody waits for it yet.</summary>
    private static void FinalizerAlone(Stage stage, Action finalize)
    {
        using ManualResetEventSlim runs = new();
        stage.Start("collects", () =>
        {
            MakeGarbage(() =>
            {
                stage.Role("finalizer");
                runs.Set();
                finalize();
            });
            GC.Collect();
        }).Join();
        runs.Wait();
    }

    /// <summary>Two foreground threads keep the process of a <c>Main</c> that has returned, beside a background thread.</summary>
    private static void MainReturned(Stage stage)
    {
        stage.ReturnsFromMain = true;
        Thread[] keeping = [.. Enumerable.Range(0, 2).Select(i => stage.Start($"keeper-{i}", Keep))];
        _ = stage.Start("background", Stage.Forever);
        foreach (Thread thread in keeping)
        {
            thread.IsBackground = false;
        }

        stage.UntilBlocked(keeping);
    }

    private static void Keep()
    {
        Thread.Sleep(TimeSpan.FromMinutes(10));
        Console.Out.Flush();
    }

    /// <summary>A thread ends the process under a lock which a handler of ProcessExit needs.</summary>
    private static void ExitCycle(Stage stage)
    {
        object held = new();
        using ManualResetEventSlim needs = new();
        AppDomain.CurrentDomain.ProcessExit += (_, _) =>
        {
            needs.Set();
            stage.UntilBlocked(stage.Start("saver", () => MonitorScenes.EnterAndLeave(held)));
            stage.Start("saver-2", () => MonitorScenes.EnterAndLeave(held)).Join();
        };
        _ = stage.Start("owner", () =>
        {
            lock (held)
            {
                Environment.Exit(0);
            }
        });
        needs.Wait();
    }

    /// <summary>Healthy: a handler of ProcessExit takes its time.</summary>
    private static void ExitSlow(Stage stage)
    {
        using ManualResetEventSlim runs = new();
        AppDomain.CurrentDomain.ProcessExit += (_, _) =>
        {
            runs.Set();
            Thread.Sleep(TimeSpan.FromMinutes(1));
        };
        _ = stage.Start("owner", () => Environment.Exit(0));
        runs.Wait();
    }

#if NET6_0_OR_GREATER
    /// <summary>
    /// A thread wants to collect while another one is in native code which the runtime cannot suspend, or, healthy, in code which it can. Nobody can say that
    /// the scene stands once it does, so the collecting thread says so just before.
    /// </summary>
    private static void Suspension(Stage stage, bool isEndless)
    {
        using ManualResetEventSlim enters = new();
        _ = stage.Start("native", () =>
        {
            enters.Set();
            if (isEndless)
            {
                int[] ends = new int[2];
                _ = MakePipe(ends);
                _ = ReadWithoutTransition(ends[0], out _, 1);
            }
            else
            {
                Thread.Sleep(TimeSpan.FromMinutes(2));
            }
        });
        enters.Wait();
        _ = stage.Start("collects", () =>
        {
            stage.Ready();
            GC.Collect();
        });
        Stage.Forever();
    }

    [System.Runtime.InteropServices.DllImport("libc", EntryPoint = "pipe")]
    private static extern int MakePipe(int[] ends);

    /// <summary>Reads from a pipe that nobody writes to; the signals by which the runtime asks threads to stop do not end it.</summary>
    [System.Runtime.InteropServices.DllImport("libc", EntryPoint = "read")]
    [System.Runtime.InteropServices.SuppressGCTransition]
    private static extern nint ReadWithoutTransition(int file, out byte data, nint size);
#endif

    /// <summary>A thread disposes of a registration under the lock that the registered callback needs, which runs.</summary>
    private static void RegistrationCycle(Stage stage) => Registration(stage, isCycle: true);

    private static void RegistrationSlow(Stage stage) => Registration(stage, isCycle: false);

    private static void Registration(Stage stage, bool isCycle)
    {
        object held = new();
        CancellationTokenSource source = new();
        ManualResetEventSlim owned = new(), runs = new();
        CancellationTokenRegistration registration = source.Token.Register(() =>
        {
            runs.Set();
            if (isCycle)
            {
                MonitorScenes.EnterAndLeave(held);
            }
            else
            {
                Thread.Sleep(TimeSpan.FromMinutes(1));
            }
        });
        Thread disposes = stage.Start("disposes", () =>
        {
            lock (held)
            {
                owned.Set();
                runs.Wait();
                registration.Dispose();
            }
        });
        owned.Wait();
        Thread cancels = stage.Start("cancels", () => source.Cancel());
        runs.Wait();
        stage.UntilBlocked(disposes, cancels);
    }

    private static void TimerCycle(Stage stage) => DisposeTimer(stage, isCycle: true);

    private static void TimerSlow(Stage stage) => DisposeTimer(stage, isCycle: false);

    private static void DisposeTimer(Stage stage, bool isCycle)
    {
        object held = new();
        ManualResetEventSlim owned = new(), runs = new();
        Timer? timer = null;
        Thread disposes = stage.Start("disposes", () =>
        {
            lock (held)
            {
                owned.Set();
                runs.Wait();
                using ManualResetEvent done = new(false);
                timer!.Dispose(done);
                done.WaitOne();
            }
        });
        owned.Wait();
        timer = new Timer(
            _ =>
            {
                runs.Set();
                if (isCycle)
                {
                    MonitorScenes.EnterAndLeave(held);
                }
                else
                {
                    Thread.Sleep(TimeSpan.FromMinutes(1));
                }
            }, null, 0, Timeout.Infinite);
        runs.Wait();
        stage.UntilBlocked(disposes);
    }

    private sealed class Finalized(Action finalize)
    {
        ~Finalized() => finalize();
    }
}
