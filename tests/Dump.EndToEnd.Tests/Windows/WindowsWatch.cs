using System.Text.Json;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Windows;

/// <summary>A watch of the win-x64 build that runs under Wine; ended when disposed.</summary>
internal sealed class WindowsWatch : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(10);
    private readonly WineProcess _process;
    private readonly string _folder;

    /// <summary>Starts it.</summary>
    /// <param name="folder">Where captures are kept.</param>
    /// <param name="environment">Variables for the writer of dumps.</param>
    /// <param name="arguments">Processes and conditions.</param>
    public WindowsWatch(string folder, IEnumerable<(string Name, string Value)> environment, params string[] arguments)
    {
        _folder = folder;
        _process = WindowsLook.Run([("LAB_WRITER", WineLab.WindowsPath(Path.Combine(WineLab.DebuggerDirectory, "dbgcore.dll"))), .. environment],
            ["watch", .. arguments, "--out", WineLab.WindowsPath(folder), "--dump-writer", @"L:\labwriter.dll"]);
    }

    /// <summary>Folders of the captures that it has kept.</summary>
    public string[] Captures => Directory.Exists(_folder)
        ? [.. Directory.GetDirectories(_folder).Where(d => !Path.GetFileName(d).StartsWith('.') && File.Exists(Path.Combine(d, "capture.json")))] : [];

    /// <summary>What it has said.</summary>
    public string Said => _process.Errors;

    /// <summary>Waits until something has been said or kept.</summary>
    public void Until(Func<WindowsWatch, bool> condition)
    {
        bool isMet = SpinWait.SpinUntil(() => condition(this) || _process.HasEnded, s_limit) && condition(this);
        Assert.True(isMet, isMet ? "" : Said + State());
    }

    /// <summary>Ends it as a user does, and returns its exit code.</summary>
    public int PressControlC()
    {
        _process.PressControlC();
        return End();
    }

    /// <summary>Waits for its end, and returns its exit code.</summary>
    public int End()
    {
        Assert.True(_process.WaitForEnd(s_limit), Said);
        return _process.ExitCode;
    }

    /// <summary>Ends it at once.</summary>
    public void Kill() => _process.Kill();

    /// <summary>A document of a capture.</summary>
    public static JsonElement Json(string capture, string name) => JsonDocument.Parse(File.ReadAllText(Path.Combine(capture, name))).RootElement;

    public void Dispose() => _process.Dispose();

    /// <summary>What has been written, and where this system's part of Wine stands: each thread's name, state, kernel function and processor time.</summary>
    private string State()
    {
        IEnumerable<string> files = Directory.Exists(_folder)
            ? Directory.EnumerateFiles(_folder, "*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 })
                .Select(f => $"{f}: {new FileInfo(f).Length} bytes")
            : [];
        IEnumerable<string> processes = Directory.EnumerateDirectories("/proc")
            .Where(d => Text(d + "/cmdline") is var line && (line.Contains(".exe", StringComparison.Ordinal) || line.Contains("wineserver", StringComparison.Ordinal)))
            .Select(d => $"{d} {string.Join(' ', Text(d + "/cmdline").Split('\0').Select(w => w[Math.Max(0, w.Length - 40)..]))}: "
                + Threads(d));
        return $"up for {Text("/proc/uptime")}" + string.Join('\n', files.Concat(processes));

        static string Threads(string process)
        {
            try
            {
                return string.Join(", ", Directory.EnumerateDirectories(process + "/task").Select(Thread));
            }
            catch (IOException)
            {
                return "ended";
            }
        }

        static string Thread(string path)
        {
            string[] stat = Text(path + "/stat").Split(')');
            string[] fields = stat[^1].Split(' ');
            return fields.Length < 14 ? "" : $"{stat[0]}) {fields[1]} {Text(path + "/wchan")} {fields[12]}+{fields[13]}";
        }

        static string Text(string path)
        {
            try
            {
                return File.ReadAllText(path);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                return "";
            }
        }
    }
}
