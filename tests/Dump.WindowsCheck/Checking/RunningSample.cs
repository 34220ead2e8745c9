using System.Diagnostics;
using System.Globalization;

namespace Dump.WindowsCheck.Checking;

/// <summary>A sample that hangs; ended when disposed.</summary>
internal sealed class RunningSample : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(2);
    private readonly Process _process;

    private RunningSample(Process process, int id)
    {
        _process = process;
        Id = id;
    }

    /// <summary>Its process id.</summary>
    public int Id { get; }

    /// <summary>Starts one and waits until it says that it hangs.</summary>
    /// <param name="program">The program.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <exception cref="InvalidOperationException">It did not get there.</exception>
    public static RunningSample Start(string program, IEnumerable<string> arguments)
    {
        Process process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true, RedirectStandardOutput = true, UseShellExecute = false,
        })!;
        int id = process.Id;
        List<string> said = [];
        Task<bool> ready = Task.Run(() =>
        {
            while (process.StandardOutput.ReadLine() is { } line)
            {
                said.Add(line);
                if (line is "ready" or "failed")
                {
                    return line == "ready";
                }

                id = line.Split(' ') is ["pid", var number] && int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out int own) ? own : id;
            }

            return false;
        });
        if (ready.Wait(s_limit) && ready.Result)
        {
            return new RunningSample(process, id);
        }

        End(process);
        throw new InvalidOperationException($"it did not hang; it said: {string.Join("; ", said.Take(8))}");
    }

    /// <inheritdoc/>
    public void Dispose() => End(_process);

    private static void End(Process process)
    {
        process.Kill(entireProcessTree: true);
        process.WaitForExit();
        process.Dispose();
    }
}
