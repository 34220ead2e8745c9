using System.Diagnostics;
using System.Globalization;

namespace Dump.Testing.Lab;

/// <summary>A program that makes a scene: started, and followed until it says that the scene stands.</summary>
internal static class SceneProgram
{
    private static readonly TimeSpan s_readyLimit = TimeSpan.FromMinutes(4);

    /// <summary>Starts the program, and waits until its scene stands.</summary>
    /// <param name="start">The program with its arguments.</param>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="environment">Variables for its runtime.</param>
    /// <param name="rests">True when the process does nothing else, so that it comes to rest.</param>
    /// <param name="find">Gives the process of the scene by that which was started; null when the program says which it is, or is it.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state.</exception>
    public static LiveScene Start(
        ProcessStartInfo start, string scene, (string Name, string Value)[] environment, bool rests = true, Func<int, int>? find = null)
    {
        start.RedirectStandardOutput = true;
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        Process process = Process.Start(start) ?? throw new InvalidOperationException("The sample did not start.");
        try
        {
            List<string> lines = ReadUntilReady(process, scene);
            int id = lines.Find(l => l.StartsWith("process ", StringComparison.Ordinal)) is { } other ? int.Parse(other.AsSpan(8), CultureInfo.InvariantCulture)
                : find?.Invoke(process.Id) ?? process.Id;
            if (rests)
            {
                RestingProcess.WaitFor(id);
            }

            return new LiveScene(process, id, lines);
        }
        catch
        {
            process.Kill();
            process.Dispose();
            throw;
        }
    }

    private static List<string> ReadUntilReady(Process process, string scene)
    {
        List<string> lines = [];
        Task<bool> reading = Task.Run(() =>
        {
            while (process.StandardOutput.ReadLine() is { } line)
            {
                if (line == "ready")
                {
                    return true;
                }

                lines.Add(line);
            }

            return false;
        });
        if (!reading.Wait(s_readyLimit) || !reading.Result)
        {
            throw new InvalidOperationException($"{scene} did not reach its state: {string.Join(" | ", lines)}");
        }

        return lines;
    }
}
