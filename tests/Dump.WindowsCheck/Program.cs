using System.Globalization;
using Dump.WindowsCheck.Checking;
using Dump.WindowsCheck.Recording;

namespace Dump.WindowsCheck;

/// <summary>For a machine with Windows: records what its functions answer, and checks the samples there (docs/windows-check.md).</summary>
internal static class Program
{
    private const int UsageExitCode = 2;
    private const string Usage = """
        usage: windows-check record PID FILE
               windows-check check [--samples DIR] [--program FILE] [--table FILE] [--only NAME] [--dump-writer FILE]
          record   writes what Windows answers about the waits, the snapshot and the windows of a process, as JSON in the form of the tests' recorded answers
          check    hangs each sample, looks at it while it lives, judges the dump that was kept, and writes a table; exit code 1 when a verdict is another one
            --samples DIR       what samples/build.sh has built (artifacts/samples)
            --program FILE      dumpanalyze.exe (artifacts/bin/Dump.Cli/release/dumpanalyze.exe)
            --table FILE        where the table goes as well
            --only NAME         one sample
            --dump-writer FILE  handed on to dumpanalyze live
        """;

    private static int Main(string[] arguments)
    {
        if (!OperatingSystem.IsWindows())
        {
            Console.Error.WriteLine("windows-check: runs on Windows only");
            return UsageExitCode;
        }

        switch (arguments)
        {
            case ["record", var id, var file] when int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out int process):
                AnswerRecorder.Record(process, file);
                return 0;
            case ["check", .. var options] when CheckOptions.Parse(options) is { } settings:
                return SampleCheck.Run(settings);
            default:
                Console.Error.WriteLine(Usage);
                return UsageExitCode;
        }
    }
}
