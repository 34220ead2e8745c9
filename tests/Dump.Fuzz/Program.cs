using Dump.Fuzz.Kinds;
using Dump.Fuzz.Running;
using Dump.Fuzz.Shipped;
using Dump.Fuzz.Targets;

namespace Dump.Fuzz;

/// <summary>Fuzzing at length: every reader of the program on damaged input, for as long as is asked.</summary>
internal static class Program
{
    private const int UsageExitCode = 2;
    private const string Usage = """
        usage: dotnet run -c Release --project tests/Dump.Fuzz -- [OPTION VALUE]...
          --executions N   inputs of all readers together; of more than ten readers, each reads at most a tenth of them
          --minutes M      time that the run may take
          --seed N         1 if not given; the same seed makes the same inputs
          --reader NAME    one reader; may be given several times; all if not given
          --keep DIR       keep inputs for which something does not hold, with how to repeat each
          --from N         number of the first input of each reader
          --input FILE     read this file as the only input of the one reader that is named
          --program FILE   in place of the readers run the shipped program on damaged dumps and cores with the files beside them; --reader then
                           names a kind of input
          --core FILE      change this core of a .NET process in place of one that is made at the start
        Progress goes to standard error, the table to standard output. Exit code 0 when all held, 1 when not, 2 for wrong usage.
        """;

    private static int Main(string[] arguments)
    {
        IReadOnlyList<string> names = FuzzOptions.HasProgram(arguments) ? ProgramKinds.Names : FuzzTargets.Names;
        if (FuzzOptions.Parse(arguments, names, out string? problem) is not { } options)
        {
            Console.Error.WriteLine($"{problem}\n{Usage}\nreaders: {string.Join(' ', FuzzTargets.Names)}\nof --program: {string.Join(' ', ProgramKinds.Names)}");
            return UsageExitCode;
        }

        if (options.Program is not null)
        {
            return OfProgram(options);
        }

        if (options.Input is not null)
        {
            Execution execution = Execution.Of(FuzzTargets.Named(options.Readers[0]), File.ReadAllBytes(options.Input));
            Console.WriteLine(execution.Failure ?? execution.Outcome);
            return execution.Failure is null ? 0 : 1;
        }

        FuzzRun run = new(options, Console.Error.WriteLine);
        run.Run();
        Console.WriteLine(FuzzTable.Of(run.Totals));
        return run.Totals.All(t => t.Failures == 0) ? 0 : 1;
    }

    private static int OfProgram(FuzzOptions options)
    {
        if (ShippedProgram.Unavailable is { } reason)
        {
            Console.Error.WriteLine(reason);
            return UsageExitCode;
        }

        List<ProgramKind> kinds = [];
        foreach (string name in options.Readers.Count == 0 ? ProgramKinds.Names : options.Readers.Distinct())
        {
            try
            {
                ProgramKind kind = ProgramKinds.Named(name, options.Core);
                kinds.Add(kind);
                Console.Error.WriteLine(kind.ToString());
            }
            catch (InvalidOperationException error)
            {
                Console.Error.WriteLine($"{name} is left out: {error.Message}");
            }
        }

        ProgramFuzz fuzz = new(options, kinds, Console.Error.WriteLine);
        fuzz.Run();
        kinds.OfType<IDisposable>().ToList().ForEach(k => k.Dispose());
        Console.WriteLine(ProgramTotals.Table(fuzz.Totals));
        return fuzz.Totals.All(t => t.Failures == 0) ? 0 : 1;
    }
}
