using Dump.Readers.Files;

namespace Dump.Clr.Runtimes;

/// <summary>
/// Watches over calls into a data-access library, which nothing inside of a process can end: one damaged pointer lets it follow a list for ever. It calls for help
/// when the process has used much processor time, and in all of it no new page was read and no step of the reading was made.
/// </summary>
internal sealed class LibraryWatch : IProgress<string>, IDisposable
{
    private static readonly TimeSpan s_look = TimeSpan.FromSeconds(1);
    private readonly IProgress<string>? _told;
    private readonly ManualResetEventSlim _end = new();
    private readonly Thread? _watcher;

    /// <summary>Begins to watch.</summary>
    /// <param name="options">Who is to be called.</param>
    /// <param name="progress">Who is told what is done.</param>
    public LibraryWatch(ClrReadOptions options, IProgress<string>? progress)
    {
        _told = progress;
        if (options.OnStall is { } help)
        {
            _watcher = new Thread(() => Watch(help)) { IsBackground = true, Name = "library watch" };
            _watcher.Start();
        }
    }

    /// <inheritdoc/>
    public void Report(string value)
    {
        ReadingProgress.Step();
        _told?.Report(value);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _end.Set();
        _watcher?.Join();
        _end.Dispose();
    }

    private void Watch(Action help)
    {
        // One thread goes round in circles: what others use beside it would only shorten the patience, so the time on the clock must have passed as well.
        (long steps, TimeSpan used, long clock) last = (ReadingProgress.Steps, Environment.CpuUsage.TotalTime, Environment.TickCount64);
        while (!_end.Wait(s_look))
        {
            (long steps, TimeSpan used, long clock) now = (ReadingProgress.Steps, Environment.CpuUsage.TotalTime, Environment.TickCount64);
            if (now.steps != last.steps)
            {
                last = now;
            }
            else if (now.used - last.used > ClrReadOptions.StallPatience && now.clock - last.clock > (long)ClrReadOptions.StallPatience.TotalMilliseconds)
            {
                help();
                return;
            }
        }
    }
}
