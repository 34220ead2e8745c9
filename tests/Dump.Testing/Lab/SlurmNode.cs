using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Dump.Testing.Lab;

/// <summary>
/// A Slurm cluster of this machine alone: its own daemons, key, ports and state, in a temporary directory. Ended when disposed, by process id.
/// </summary>
public sealed class SlurmNode : IDisposable
{
    private const int Processors = 4;
    private static readonly TimeSpan SetupLimit = TimeSpan.FromMinutes(6);
    private static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(90);
    private static readonly TimeSpan CommandLimit = TimeSpan.FromSeconds(90);
    private static readonly Lazy<string?> Missing = new(() =>
    {
        const int UnavailableExitCode = 3;
        LabScriptResult setup = LabScript.Run("schedulers.sh", SetupLimit);
        return setup.ExitCode switch
        {
            0 => null,
            UnavailableExitCode => setup.Errors,
            _ => throw new InvalidOperationException($"lab/schedulers.sh ended with {setup.ExitCode}: {setup.Errors}"),
        };
    });

    private readonly string directory = Directory.CreateTempSubdirectory("dump-slurm-").FullName;
    private readonly List<Process> daemons = [];

    /// <summary>Starts it and waits until the node takes jobs.</summary>
    /// <exception cref="InvalidOperationException">A daemon ended, or the node did not get ready.</exception>
    public SlurmNode()
    {
        try
        {
            WriteConfiguration();
            StartDaemon("munged", "--foreground", "--force", $"--socket={Place("munge.socket")}", $"--key-file={Place("munge.key")}",
                $"--pid-file={Place("munged.pid")}", $"--seed-file={Place("munged.seed")}", "--num-threads=2");
            WaitUntil(() => File.Exists(Place("munge.socket")), "munged has no socket");
            StartDaemon("slurmctld", "-D");
            StartDaemon("slurmd", "-D");
            WaitUntil(() => Run("sinfo", "-h", "-o", "%T") is (0, "idle", _), "the node is not idle");
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>Why no cluster can be had on this machine, for a skipped test; null when it can. GNU parallel is there when this is null.</summary>
    public static string? Unavailable => OperatingSystem.IsLinux() ? Missing.Value : "needs Linux";

    /// <summary>Runs a program with the cluster's environment.</summary>
    /// <param name="program">The program.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <returns>Exit code, trimmed output, trimmed errors.</returns>
    /// <exception cref="TimeoutException">It did not end.</exception>
    public (int ExitCode, string Output, string Errors) Run(string program, params string[] arguments)
    {
        using Process process = Process.Start(Command(program, arguments))!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(CommandLimit))
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"{program} did not end.");
        }

        return (process.ExitCode, output.Result.Trim(), errors.Result.Trim());
    }

    /// <summary>Variables that every command gets, and through it every job.</summary>
    public Dictionary<string, string> Environment { get; } = [];

    /// <summary>Waits for the end of jobs.</summary>
    /// <param name="limit">Longest time.</param>
    /// <param name="jobs">Their ids.</param>
    /// <returns>State and exit code of each task, for example <c>COMPLETED 0:0</c>.</returns>
    /// <exception cref="TimeoutException">They did not end.</exception>
    public IReadOnlyList<string> Wait(TimeSpan limit, params string[] jobs)
    {
        string[] open = ["PENDING", "RUNNING", "CONFIGURING", "COMPLETING", "SUSPENDED"];
        DateTime end = DateTime.UtcNow + limit;
        while (true)
        {
            string[] states = [.. jobs.SelectMany(j => Run("scontrol", "--oneliner", "show", "job", j)
                .Output.Split('\n', StringSplitOptions.RemoveEmptyEntries)).Select(State)];
            if (states.Length > 0 && !states.Any(s => open.Any(o => s.StartsWith(o, StringComparison.Ordinal))))
            {
                return states;
            }

            if (DateTime.UtcNow > end)
            {
                throw new TimeoutException($"Slurm's jobs did not end: {string.Join(", ", states)}");
            }

            Thread.Sleep(200);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (Process daemon in Enumerable.Reverse(daemons))
        {
            // SIGTERM first: slurmd ends the steps that it started.
            using Process signal = Process.Start("kill", ["-TERM", $"{daemon.Id}"]);
            signal.WaitForExit();
            if (!daemon.WaitForExit(TimeSpan.FromSeconds(10)))
            {
                daemon.Kill(entireProcessTree: true);
            }

            daemon.Dispose();
        }

        Directory.Delete(directory, recursive: true);
    }

    private static string State(string job)
    {
        string Field(string name) => job.Split(' ').First(f => f.StartsWith(name, StringComparison.Ordinal))[name.Length..];
        return $"{Field("JobState=")} {Field("ExitCode=")}";
    }

    private string Place(string name) => Path.Combine(directory, name);

    private void WriteConfiguration()
    {
        byte[] key = new byte[128];
        Random.Shared.NextBytes(key);
        File.WriteAllBytes(Place("munge.key"), key);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(Place("munge.key"), UnixFileMode.UserRead | UnixFileMode.UserWrite);
        }

        string host = Dns.GetHostName().Split('.')[0], user = System.Environment.UserName;
        File.WriteAllText(Place("slurm.conf"), string.Create(CultureInfo.InvariantCulture, $"""
            ClusterName=triage
            SlurmctldHost={host}(127.0.0.1)
            SlurmUser={user}
            SlurmdUser={user}
            AuthType=auth/munge
            AuthInfo=socket={Place("munge.socket")}
            CredType=cred/munge
            SlurmctldPort={FreePort()}
            SlurmdPort={FreePort()}
            StateSaveLocation={Directory.CreateDirectory(Place("state")).FullName}
            SlurmdSpoolDir={Directory.CreateDirectory(Place("spool")).FullName}
            SlurmctldPidFile={Place("slurmctld.pid")}
            SlurmdPidFile={Place("slurmd.pid")}
            SlurmdParameters=config_overrides
            ProctrackType=proctrack/linuxproc
            TaskPlugin=task/none
            SwitchType=switch/none
            MpiDefault=none
            SelectType=select/cons_tres
            SelectTypeParameters=CR_CPU
            JobAcctGatherType=jobacct_gather/none
            AccountingStorageType=accounting_storage/none
            SchedulerParameters=sched_interval=1,batch_sched_delay=0
            NodeName={host} NodeAddr=127.0.0.1 CPUs={Processors} RealMemory=8192 State=UNKNOWN
            PartitionName=triage Nodes={host} Default=YES State=UP

            """));
    }

    private static int FreePort()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private void StartDaemon(string program, params string[] arguments)
    {
        Process daemon = Process.Start(Command(program, arguments))!;
        daemons.Add(daemon);

        // Read on and forgotten, or a full pipe would stop the daemon.
        daemon.OutputDataReceived += (_, _) => { };
        daemon.ErrorDataReceived += (_, line) => File.AppendAllText(Place("errors.log"), $"{program}: {line.Data}\n");
        daemon.BeginOutputReadLine();
        daemon.BeginErrorReadLine();
    }

    private ProcessStartInfo Command(string program, string[] arguments)
    {
        string[] places = [.. (System.Environment.GetEnvironmentVariable("PATH") ?? "").Split(':'), "/usr/sbin"];
        string path = program.Contains('/', StringComparison.Ordinal) ? program : places.Select(p => Path.Combine(p, program)).First(File.Exists);
        ProcessStartInfo start = new(path, arguments) { RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = directory };
        start.Environment["SLURM_CONF"] = Place("slurm.conf");
        foreach ((string name, string value) in Environment)
        {
            start.Environment[name] = value;
        }

        return start;
    }

    private void WaitUntil(Func<bool> isReached, string otherwise)
    {
        if (!SpinWait.SpinUntil(() => { Thread.Sleep(50); return daemons.Exists(d => d.HasExited) || isReached(); }, StartLimit)
            || daemons.Exists(d => d.HasExited))
        {
            string errors = File.Exists(Place("errors.log")) ? File.ReadAllText(Place("errors.log")) : "";
            throw new InvalidOperationException($"Slurm did not start: {otherwise}. {errors}");
        }
    }
}
