using System;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Threading;

namespace Dump.Samples.ManagedOld
{
    /// <summary>
    /// old-hang SCENE: hangs for runtimes whose reference assemblies are not to be had any more, with the class library of .NET Core 2.0 and no newer one.
    /// Prints the same lines as samples/managed. Built by lab/old-sample.sh with the compiler alone.
    /// </summary>
    internal static class Program
    {
        private static readonly TimeSpan s_lifetime = TimeSpan.FromMinutes(10);

        private static int Main(string[] arguments)
        {
            Print("pid " + Process.GetCurrentProcess().Id);
            Role("main");
            switch (arguments.Length == 1 ? arguments[0] : null)
            {
                case "monitor-cycle2":
                    MonitorScenes.Cycle();
                    break;
                case "monitor-slow-owner":
                    MonitorScenes.SlowOwner();
                    break;
                case "dictionary-spin":
                    DictionaryScenes.Spin();
                    break;
                default:
                    Console.Error.WriteLine("usage: old-hang monitor-cycle2|monitor-slow-owner|dictionary-spin");
                    return 2;
            }

            Thread.Sleep(300);
            Print("ready");
            Thread.Sleep(s_lifetime);
            Environment.Exit(0);
            return 0;
        }

        /// <summary>Starts a background thread and prints its id and role.</summary>
        internal static Thread Start(string role, Action body)
        {
            using (ManualResetEventSlim running = new ManualResetEventSlim())
            {
                Thread thread = new Thread(() =>
                {
                    Role(role);
                    running.Set();
                    body();
                });
                thread.IsBackground = true;
                thread.Name = role;
                thread.Start();
                running.Wait();
                return thread;
            }
        }

        /// <summary>Waits until threads stand in a wait of the runtime.</summary>
        internal static void UntilBlocked(params Thread[] threads)
        {
            foreach (Thread thread in threads)
            {
                while ((thread.ThreadState & System.Threading.ThreadState.WaitSleepJoin) == 0)
                {
                    Thread.Sleep(20);
                }
            }
        }

        private static void Role(string role) => Print("thread " + GetCurrentThreadId() + " " + role);

        private static void Print(string line)
        {
            Console.Out.WriteLine(line);
            Console.Out.Flush();
        }

        [DllImport("kernel32")]
        private static extern uint GetCurrentThreadId();
    }
}
