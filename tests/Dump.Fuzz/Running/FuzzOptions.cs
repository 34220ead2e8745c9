using System.Globalization;

namespace Dump.Fuzz.Running;

/// <summary>What a command line asks for.</summary>
internal sealed record FuzzOptions
{
    private const string ProgramOption = "--program";

    /// <summary>Seed of the run: the same one makes the same inputs.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Inputs of all readers together; each reads at most a tenth of them, so that the fast ones do not take them all. Null for no limit.</summary>
    public long? Executions { get; init; }

    /// <summary>Number of the first input of each reader.</summary>
    public long From { get; init; }

    /// <summary>Time that the run may take; null for no limit.</summary>
    public TimeSpan? Time { get; init; }

    /// <summary>Names of the readers; none for all.</summary>
    public IReadOnlyList<string> Readers { get; init; } = [];

    /// <summary>Folder for inputs for which an oracle fails; null to keep none.</summary>
    public string? Keep { get; init; }

    /// <summary>A file that is read as the only input; null for made ones.</summary>
    public string? Input { get; init; }

    /// <summary>The shipped program, which is run in place of the readers; null for the readers.</summary>
    public string? Program { get; init; }

    /// <summary>A core of a .NET process, of which the program gets changed forms; null for one that is made.</summary>
    public string? Core { get; init; }

    /// <summary>True when a command line names the program, whose kinds of input then are what <c>--reader</c> names.</summary>
    public static bool HasProgram(IEnumerable<string> arguments) => arguments.Contains(ProgramOption);

    /// <summary>Reads a command line.</summary>
    /// <param name="arguments">The arguments.</param>
    /// <param name="readers">Names of all readers.</param>
    /// <param name="problem">What is wrong with it, as a sentence; null when nothing is.</param>
    /// <returns>Null when something is wrong.</returns>
    public static FuzzOptions? Parse(IReadOnlyList<string> arguments, IReadOnlyList<string> readers, out string? problem)
    {
        FuzzOptions options = new();
        problem = null;
        for (int i = 0; i < arguments.Count; i += 2)
        {
            string? value = i + 1 < arguments.Count ? arguments[i + 1] : null;
            if (value is null || options.With(arguments[i], value, readers) is not { } next)
            {
                problem = value is null ? $"{arguments[i]} lacks its value." : $"{arguments[i]} {value} is not understood.";
                return null;
            }

            options = next;
        }

        problem = options.Input is not null && options.Readers.Count != 1 ? "--input needs one --reader."
            : options is { Input: null, Executions: null, Time: null } ? "Give --executions or --minutes."
            : options is { Program: not null, Input: not null } ? "--program makes its inputs itself: --input is for readers."
            : options is { Program: { } path } && !File.Exists(path) ? $"--program: there is no file {path}."
            : null;
        return problem is null ? options : null;
    }

    private FuzzOptions? With(string name, string value, IReadOnlyList<string> readers) => name switch
    {
        "--seed" when int.TryParse(value, CultureInfo.InvariantCulture, out int seed) => this with { Seed = seed },
        "--executions" when Number(value) is > 0 and var count => this with { Executions = count },
        "--from" when Number(value) is >= 0 and var first => this with { From = first },
        "--minutes" when double.TryParse(value, CultureInfo.InvariantCulture, out double minutes) && minutes is > 0 and < 100_000
            => this with { Time = TimeSpan.FromMinutes(minutes) },
        "--reader" when readers.Contains(value) => this with { Readers = [.. Readers, value] },
        ProgramOption => this with { Program = value },
        "--core" => this with { Core = value },
        "--keep" => this with { Keep = value },
        "--input" => this with { Input = value },
        _ => null,
    };

    private static long? Number(string text) =>
        long.TryParse(text, NumberStyles.AllowThousands, CultureInfo.InvariantCulture, out long number) ? number : null;
}
