using System.Diagnostics;
using System.Globalization;

namespace Dump.Testing.Lab;

/// <summary>
/// Debian's PostgreSQL with a cluster of its own in a temporary folder, reached by a socket there and by nothing else. The package's own cluster is neither
/// used nor touched. Where the tests run as root the server runs as nobody, for it refuses to run as root.
/// </summary>
public sealed class PostgresServer : IDisposable
{
    private const string Nobody = "65534";
    private static readonly string[] s_asNobody = ["setpriv", "--reuid", Nobody, "--regid", Nobody, "--clear-groups"];
    private static readonly TimeSpan s_setupLimit = TimeSpan.FromMinutes(6);
    private static readonly Lazy<string?> s_missing = new(() =>
    {
        const int UnavailableExitCode = 3;
        LabScriptResult setup = LabScript.Run("postgresql.sh", s_setupLimit);
        return setup.ExitCode switch
        {
            0 => null,
            UnavailableExitCode => setup.Errors,
            _ => throw new InvalidOperationException($"lab/postgresql.sh ended with {setup.ExitCode}: {setup.Errors}"),
        };
    });

    private readonly DirectoryInfo _folder;
    private readonly string? _smallDisk;
    private int _databases;

    /// <summary>Starts it; does nothing where there is none.</summary>
    public PostgresServer()
        : this(null)
    {
    }

    private PostgresServer(string? smallDisk)
    {
        _smallDisk = smallDisk;
        _folder = Directory.CreateDirectory(Path.Combine(Base, $"dumpanalyze-pg-{Path.GetRandomFileName()}"));
        if (Unavailable is not null)
        {
            return;
        }

        if (Environment.IsPrivilegedProcess)
        {
            Run("chown", [$"{Nobody}:{Nobody}", _folder.FullName]);
        }

        RunAsServer("initdb", ["-D", Data, "-U", "triage", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
        Start();
        if (_smallDisk is not null)
        {
            Sql("postgres", $"CREATE TABLESPACE small LOCATION '{Small}'");
        }
    }

    /// <summary>Why there is no server, for a skipped test; null when there is one.</summary>
    public static string? Unavailable => OperatingSystem.IsLinux() ? s_missing.Value : "PostgreSQL is started on Linux only";

    private static string? Programs => Directory.Exists("/usr/lib/postgresql")
        ? Directory.EnumerateDirectories("/usr/lib/postgresql").Select(d => Path.Combine(d, "bin")).Where(d => File.Exists(Path.Combine(d, "initdb")))
            .Order(StringComparer.Ordinal).LastOrDefault() : null;

    /// <summary>A temporary folder that another user may look into.</summary>
    private static string Base => !Environment.IsPrivilegedProcess || IsOpen(Path.GetTempPath()) ? Path.GetTempPath() : "/tmp";

    private string Data => Path.Combine(_folder.FullName, "data");

    private string Small => Path.Combine(_folder.FullName, "small");

    private int Postmaster => int.Parse(File.ReadLines(Path.Combine(Data, "postmaster.pid")).First(), CultureInfo.InvariantCulture);

    /// <summary>Starts one with a tablespace <c>small</c> on a disk of its own, in memory, that nobody else sees; needs root.</summary>
    /// <param name="size">Size of the disk, as mount(8) has it.</param>
    public static PostgresServer OnSmallDisk(string size) => new(size);

    /// <summary>Address of a database.</summary>
    public string Address(string database) => $"postgres://triage@/{database}?host={Uri.EscapeDataString(_folder.FullName)}";

    /// <summary>The folder with its socket: its host, as clients of PostgreSQL name it.</summary>
    public string Host => _folder.FullName;

    /// <summary>Makes an empty database, and returns its address.</summary>
    /// <param name="options">Options of CREATE DATABASE.</param>
    public string NewDatabase(string options = "")
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"hangs{Interlocked.Increment(ref _databases)}");
        Sql("postgres", $"CREATE DATABASE {name} {options}");
        return Address(name);
    }

    /// <summary>Writes over the beginning of one of its files, while it is stopped.</summary>
    /// <param name="file">The file, below its data.</param>
    /// <param name="bytes">What is written.</param>
    public void Overwrite(string file, ReadOnlySpan<byte> bytes)
    {
        using FileStream stream = new(Path.Combine(Data, file), FileMode.Open, FileAccess.Write);
        stream.Write(bytes);
    }

    /// <summary>Gives the small disk another size.</summary>
    public void Enlarge(string size) => Run("nsenter",
        ["-m", "-t", Postmaster.ToString(CultureInfo.InvariantCulture), "mount", "-o", $"remount,size={size}", Small]);

    /// <summary>Has the server carry out statements.</summary>
    public void Sql(string database, string statements) =>
        RunAsServer("psql", ["-h", _folder.FullName, "-U", "triage", "-d", database, "-v", "ON_ERROR_STOP=1", "-q", "-c", statements]);

    /// <summary>Starts it, and waits until it answers.</summary>
    public void Start()
    {
        string[] start = ["-D", Data, "-l", Path.Combine(_folder.FullName, "log"), "-w", "-t", "300", "-o",
            $"-k {_folder.FullName} -c listen_addresses= -c max_connections=40", "start"];
        if (_smallDisk is null)
        {
            RunAsServer("pg_ctl", start);
            return;
        }

        // In a mount namespace of its own the disk goes with the server.
        Directory.CreateDirectory(Small);
        Run("unshare", ["-m", "sh", "-c", $"mount -t tmpfs -o size={_smallDisk},uid={Nobody},mode=700 none {Small} && exec \"$@\"", "sh",
            .. s_asNobody, Path.Combine(Programs!, "pg_ctl"), .. start]);
    }

    /// <summary>Kills it and all its processes, as <c>kill -9</c> does.</summary>
    public void Kill()
    {
        int postmaster = Postmaster;

        // Stopped first, it makes no process that would be missed.
        Run("kill", ["-STOP", postmaster.ToString(CultureInfo.InvariantCulture)]);
        Await(() => StateOf(postmaster) is 'T' or 't' or 'Z' or 'X', "stopped");
        int[] family = [postmaster, .. Children(postmaster)];

        // One of them may have come to its end by itself meanwhile.
        Run("sh", ["-c", "kill -KILL \"$@\" || true", "kill", .. family.Select(p => p.ToString(CultureInfo.InvariantCulture))]);
        Await(() => family.All(p => StateOf(p) is 'Z' or 'X'), "killed");

        // Where nobody waits for orphans, a dead server still has its number, and the next one would take it for alive.
        File.Delete(Path.Combine(Data, "postmaster.pid"));
        Array.ForEach(Directory.GetFiles(_folder.FullName, ".s.PGSQL.*"), File.Delete);
    }

    /// <summary>Stops it in order.</summary>
    public void Stop() => RunAsServer("pg_ctl", ["-D", Data, "-w", "-t", "300", "-m", "fast", "stop"]);

    /// <inheritdoc/>
    public void Dispose()
    {
        if (File.Exists(Path.Combine(Data, "postmaster.pid")))
        {
            Kill();
        }

        _folder.Delete(recursive: true);
    }

    private static void Await(Func<bool> condition, string what)
    {
        if (!SpinWait.SpinUntil(condition, s_setupLimit))
        {
            throw new InvalidOperationException($"the server was not {what} within {s_setupLimit.TotalMinutes} minutes");
        }
    }

    private static string Text(string file) => File.Exists(file) ? File.ReadAllText(file) : "";

    private static bool IsOpen(string folder)
    {
        for (DirectoryInfo? at = new(folder); at is not null; at = at.Parent)
        {
            if (!at.UnixFileMode.HasFlag(UnixFileMode.OtherExecute))
            {
                return false;
            }
        }

        return true;
    }

    private static IEnumerable<int> Children(int parent) => Directory.EnumerateDirectories("/proc")
        .Select(d => int.TryParse(Path.GetFileName(d), NumberStyles.None, CultureInfo.InvariantCulture, out int id) ? id : 0)
        .Where(id => id > 0 && ParentOf(id) == parent);

    private static int ParentOf(int process)
    {
        try
        {
            string status = File.ReadAllText($"/proc/{process}/stat");
            return int.Parse(status[(status.LastIndexOf(')') + 2)..].Split(' ')[1], CultureInfo.InvariantCulture);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }

    /// <summary>State of a process, as proc(5) has it; X when it is gone.</summary>
    private static char StateOf(int process)
    {
        try
        {
            string status = File.ReadAllText($"/proc/{process}/stat");
            return status[status.LastIndexOf(')') + 2];
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return 'X';
        }
    }

    private void RunAsServer(string program, IReadOnlyList<string> arguments)
    {
        string path = Path.Combine(Programs!, program);
        if (Environment.IsPrivilegedProcess)
        {
            Run(s_asNobody[0], [.. s_asNobody[1..], path, .. arguments]);
        }
        else
        {
            Run(path, arguments);
        }
    }

    private void Run(string program, IReadOnlyList<string> arguments)
    {
        // A server that goes on holds what it inherits: its output goes to a file, not to a pipe that somebody waits for.
        string log = Path.Combine(_folder.FullName, "commands.log");
        using Process process = Process.Start(new ProcessStartInfo("sh", ["-c", "exec \"$@\" >> \"$0\" 2>&1 < /dev/null", log, program, .. arguments])
        {
            WorkingDirectory = "/",
        })!;
        process.WaitForExit();
        if (process.ExitCode != 0)
        {
            throw new InvalidOperationException($"{program} {string.Join(' ', arguments)}: {Text(log)}{Text(Path.Combine(_folder.FullName, "log"))}");
        }
    }
}
