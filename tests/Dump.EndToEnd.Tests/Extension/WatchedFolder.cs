using System.Collections.Concurrent;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>A folder for temporary files of a debugger's own, and the names of all files and folders that were ever made in it.</summary>
internal sealed class WatchedFolder : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);
    private readonly string _path = Directory.CreateTempSubdirectory("dump-watched-").FullName;
    private readonly ConcurrentQueue<string> _names = new();
    private readonly FileSystemWatcher _watcher;

    public WatchedFolder()
    {
        _watcher = new FileSystemWatcher(_path) { IncludeSubdirectories = true };
        _watcher.Created += (_, made) => _names.Enqueue(made.Name ?? "");
        _watcher.Error += (_, error) => _names.Enqueue(error.GetException().Message);
        _watcher.EnableRaisingEvents = true;
    }

    /// <summary>Commands of the debugger's host, after which temporary files of it and of what it starts go here.</summary>
    public string[] Commands => [$"@environment TMP={WineLab.WindowsPath(_path)}", $"@environment TEMP={WineLab.WindowsPath(_path)}"];

    /// <summary>What lies in it now.</summary>
    public IEnumerable<string> Left => Directory.EnumerateFileSystemEntries(_path);

    /// <summary>What was made up to now: a file that comes last says that all before it were told.</summary>
    public IReadOnlyList<string> Made()
    {
        string last = $"last-{Guid.NewGuid():N}";
        File.WriteAllText(Path.Combine(_path, last), "");
        Assert.True(SpinWait.SpinUntil(() => _names.Contains(last), s_limit), "The system does not tell of new files.");
        File.Delete(Path.Combine(_path, last));
        return [.. _names.Where(n => !n.StartsWith("last-", StringComparison.Ordinal))];
    }

    public void Dispose()
    {
        _watcher.Dispose();
        Directory.Delete(_path, recursive: true);
    }
}
