using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;

namespace Dump.Testing.Lab;

/// <summary>Breakpad's <c>minidump_stackwalk</c>, without symbol files.</summary>
public sealed partial class Breakpad
{
    private const int UnavailableExitCode = 3;
    private static readonly TimeSpan FetchLimit = TimeSpan.FromMinutes(3);
    private static readonly TimeSpan RunLimit = TimeSpan.FromMinutes(1);
    private static readonly Lazy<Breakpad> Instance = new(() => new Breakpad());
    private readonly string program;

    private Breakpad()
    {
        var script = LabScript.Run("stackwalk.sh", FetchLimit);
        Unavailable = script.ExitCode switch
        {
            0 => null,
            UnavailableExitCode => script.Errors,
            _ => throw new InvalidOperationException($"lab/stackwalk.sh ended with {script.ExitCode}: {script.Errors}"),
        };
        program = script.Output.Trim();
    }

    /// <summary>The program of this test process; the first use fetches it.</summary>
    public static Breakpad Shared => Instance.Value;

    /// <summary>Why it cannot be had on this machine, for a skipped test; null when it is ready.</summary>
    public string? Unavailable { get; }

    /// <summary>Instruction pointers of the stacks that it prints, by the thread's place in the list.</summary>
    /// <exception cref="TimeoutException">It did not end.</exception>
    public IReadOnlyDictionary<int, List<ulong>> Walk(string dump)
    {
        using var process = Process.Start(new ProcessStartInfo(program, [dump]) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(RunLimit))
        {
            process.Kill();
            throw new TimeoutException($"minidump_stackwalk did not end within {RunLimit}: {errors.Result}");
        }

        return Parse(output.Result);
    }

    private static Dictionary<int, List<ulong>> Parse(string printed)
    {
        Dictionary<int, List<ulong>> stacks = [];
        List<ulong>? stack = null;
        foreach (var line in printed.Split('\n').TakeWhile(l => !l.StartsWith("Loaded modules", StringComparison.Ordinal)))
        {
            if (Thread().Match(line) is { Success: true } thread)
            {
                stacks[int.Parse(thread.Groups[1].ValueSpan, CultureInfo.InvariantCulture)] = stack = [];
            }
            else if (InstructionPointer().Match(line) is { Success: true } address)
            {
                stack?.Add(ulong.Parse(address.Groups[1].ValueSpan, NumberStyles.HexNumber, CultureInfo.InvariantCulture));
            }
        }

        return stacks;
    }

    [GeneratedRegex(@"^Thread (\d+)")]
    private static partial Regex Thread();

    [GeneratedRegex(@"\b[re]ip = 0x([0-9a-f]+)")]
    private static partial Regex InstructionPointer();
}
