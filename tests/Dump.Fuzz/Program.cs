using Dump.Fuzz.Running;
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
        Progress goes to standard error, the table to standard output. Exit code 0 when all held, 1 when not, 2 for wrong usage.
        """;

    private static int Main(string[] arguments)
    {
        if (FuzzOptions.Parse(arguments, FuzzTargets.Names, out string? problem) is not { } options)
        {
            Console.Error.WriteLine($"{problem}\n{Usage}\nreaders:");
            foreach (string name in FuzzTargets.Names)
            {
                Console.Error.WriteLine($"  {name}");
            }

            return UsageExitCode;
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
}
