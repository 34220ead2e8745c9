using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Live;

/// <summary>A running process of <c>samples/linux/storm.c</c>, which counts in a file as long as it runs; ended when disposed.</summary>
[SupportedOSPlatform("linux")]
internal sealed class StormTarget : IDisposable
{
    private const int SomeBeats = 3;
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);
    private static readonly Lazy<string> s_program = new(Compile);
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dump-storm-");
    private readonly Process _process;
    private bool _hasEnded;

    /// <summary>Starts it and waits until it counts.</summary>
    public StormTarget(params string[] arguments)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Skip.IfNot(File.Exists("/usr/bin/gcc"), "no gcc to build the target");
        _process = Process.Start(s_program.Value, [arguments[0], Counter, .. arguments[1..]]);
        Beats();
    }

    /// <summary>Its process id.</summary>
    public int Id => _process.Id;

    /// <summary>Id of the process that traces any of its threads; 0 for none, or when it has just executed itself.</summary>
    public int Tracer => Tasks().Select(t => t.Tracer).FirstOrDefault(t => t != 0);

    /// <summary>How many threads it has.</summary>
    public int Threads => Directory.GetDirectories($"/proc/{Id}/task").Length;

    private string Counter => Path.Combine(_folder.FullName, "counter");

    /// <summary>Asserts that it counts on.</summary>
    public void Beats() => Assert.True(Moves(s_limit), $"process {Id} does not run on: {string.Join(' ', Tasks().Take(10))}");

    /// <summary>True when it counts on within a time.</summary>
    public bool Moves(TimeSpan within)
    {
        ulong before = Count();
        return SpinWait.SpinUntil(() => Count() >= before + SomeBeats, within);
    }

    /// <summary>Asserts that it counts on and that no thread is stopped or traced.</summary>
    public void RunsOn()
    {
        (char State, int Tracer)[] seen = [];
        Assert.True(
            SpinWait.SpinUntil(
                () =>
                {
                    seen = [.. Tasks()];
                    return seen.Length > 0 && seen.All(t => t is { State: not ('T' or 't'), Tracer: 0 });
                },
                s_limit), $"process {Id} stands still: {string.Join(' ', seen.Take(10))}");
        Beats();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_hasEnded)
        {
            return;
        }

        _hasEnded = true;
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
        _folder.Delete(recursive: true);
    }

    private ulong Count()
    {
        byte[] bytes = File.Exists(Counter) ? File.ReadAllBytes(Counter) : [];
        return bytes.Length == sizeof(ulong) ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : 0;
    }

    private IEnumerable<(char State, int Tracer)> Tasks()
    {
        string[] tasks;
        try
        {
            tasks = Directory.GetDirectories($"/proc/{Id}/task");
        }
        catch (IOException)
        {
            yield break;
        }

        foreach (string task in tasks)
        {
            if (Status(task) is { } status)
            {
                yield return status;
            }
        }
    }

    /// <summary>State letter and tracer of a thread; null when it has ended.</summary>
    private static (char State, int Tracer)? Status(string task)
    {
        try
        {
            string[] lines = File.ReadAllLines(Path.Combine(task, "status"));
            string Value(string name) => lines.First(l => l.StartsWith(name, StringComparison.Ordinal))[name.Length..].Trim();
            return (Value("State:")[0], int.Parse(Value("TracerPid:"), CultureInfo.InvariantCulture));
        }
        catch (Exception error) when (error is IOException or InvalidOperationException)
        {
            return null;
        }
    }

    private static string Compile()
    {
        string folder = Directory.CreateTempSubdirectory("dump-storm-program-").FullName, program = Path.Combine(folder, "storm");
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(folder, recursive: true);
        using Process compiler = Process.Start("gcc", ["-O1", "-pthread", "-o", program, Path.Combine(Repository.Root, "samples", "linux", "storm.c")]);
        compiler.WaitForExit();
        Assert.Equal(0, compiler.ExitCode);
        return program;
    }
}
