using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;

namespace Dump.Store.Tests;

/// <summary>A process of its own that writes records to a store and says which were acknowledged.</summary>
internal sealed class WriterProcess : IDisposable
{
    private readonly Process _process;
    private readonly Task _reading;
    private readonly Task<string> _errors;

    // Once for all that wait: .NET's Process says that it has ended before it has the exit code, which another thread then reads as 0.
    private readonly Lazy<int> _end;

    /// <summary>Starts it.</summary>
    /// <param name="place">The store.</param>
    /// <param name="first">Number of the first record.</param>
    /// <param name="count">How many records.</param>
    /// <param name="acknowledged">Told of each.</param>
    public WriterProcess(string place, int first, int count, Action<int> acknowledged)
    {
        _process = Process.Start(new ProcessStartInfo("dotnet",
            [typeof(WriterProcess).Assembly.Location, "write", place, first.ToString(CultureInfo.InvariantCulture),
                count.ToString(CultureInfo.InvariantCulture)])
        {
            // It ends when this process does, however that comes.
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        _errors = _process.StandardError.ReadToEndAsync();
        _reading = Task.Factory.StartNew(() =>
        {
            while (_process.StandardOutput.ReadLine() is { } line)
            {
                // A line that was cut by the end of the process is no number of this writer.
                if (int.TryParse(line, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number >= first && number < first + count)
                {
                    Acknowledged.Add(number);
                    acknowledged(number);
                }
            }
        }, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        _end = new Lazy<int>(() =>
        {
            _process.WaitForExit();
            _reading.GetAwaiter().GetResult();
            return _process.ExitCode;
        });
    }

    /// <summary>What it has printed so far.</summary>
    public ConcurrentBag<int> Acknowledged { get; } = [];

    /// <summary>What it said on standard error; waits for its end.</summary>
    public string Errors => _errors.GetAwaiter().GetResult();

    /// <summary>Kills it as <c>kill -9</c> does.</summary>
    public void Kill() => _process.Kill();

    /// <summary>Waits until it has ended and all that it printed was read.</summary>
    /// <returns>Its exit code.</returns>
    public int WaitForEnd() => _end.Value;

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
        }

        _process.Dispose();
    }
}
