using System.Globalization;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;

namespace Dump.WindowsCheck.Checking;

/// <summary>Hangs each sample on this Windows, looks at it while it lives, judges the dump that was kept of it, and writes a table.</summary>
[SupportedOSPlatform("windows")]
internal static class SampleCheck
{
    /// <summary>Runs it.</summary>
    /// <returns>0 when every sample got its verdict both times; 1 when one did not.</returns>
    public static int Run(CheckOptions options)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("windows-check-");
        try
        {
            string? framework = FrameworkSample.Build(folder.FullName);
            StringBuilder table = new();
            int wrong = 0, number = 0;
            foreach (SampleCase sample in SampleCase.All.Where(s => options.Only is null || s.Name == options.Only))
            {
                string dump = Path.Combine(folder.FullName, string.Create(CultureInfo.InvariantCulture, $"{number++}.dmp"));
                (bool isRight, string row) = Check(options, sample, framework, dump);
                wrong += isRight ? 0 : 1;
                table.Append(row).Append('\n');
                Console.Error.WriteLine($"windows-check: {row}");
                File.Delete(dump);
            }

            Write(options, table.ToString(), number, wrong);
            return wrong == 0 ? 0 : 1;
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static (bool IsRight, string Row) Check(CheckOptions options, SampleCase sample, string? framework, string dump)
    {
        string expected = sample.Expected is null ? "nothing found" : sample.Expected == "DUMP9001" ? "cannot decide" : sample.Expected;
        if (FrameworkSample.Is(sample.Name) && framework is null)
        {
            return (true, $"| {sample.Words} | {expected} | not tried: no .NET Framework 4 with its compiler here | | |");
        }

        try
        {
            (string program, string[] arguments) = CommandOf(options.Samples, sample, framework);
            Judgement live;
            using (RunningSample running = RunningSample.Start(program, arguments))
            {
                live = Judgement.Of(options.Program,
                [
                    "live", running.Id.ToString(CultureInfo.InvariantCulture), "--keep", dump,
                    .. options.DumpWriter is { } writer ? ["--dump-writer", writer] : Array.Empty<string>(),
                ]);
            }

            Judgement later = File.Exists(dump) ? Judgement.Of(options.Program, dump) : new Judgement(-1, [], null, "no dump was kept");
            bool isRight = live.Is(sample.Expected) && later.Is(sample.Expected);
            return (isRight, $"| {sample.Words} | {expected} | {Cell(live.Words)} | {Cell(later.Words)} | {(isRight ? "yes" : "**no**")} |");
        }
        catch (InvalidOperationException error)
        {
            return (false, $"| {sample.Words} | {expected} | {Cell(error.Message)} | | **no** |");
        }
    }

    /// <summary>As in lab/hang.sh: some samples are programs of their own, the others scenes of one.</summary>
    private static (string Program, string[] Arguments) CommandOf(string samples, SampleCase sample, string? framework)
    {
        string[] option = sample.Option.Length == 0 ? [] : [sample.Option];
        string own = Path.Combine(samples, sample.Name + ".exe");
        return FrameworkSample.Is(sample.Name) ? (framework!, [sample.Name])
            : File.Exists(own) ? (own, option) : (Path.Combine(samples, "hang.exe"), [sample.Name, .. option]);
    }

    private static string Cell(string text) => text.Replace('|', '/');

    private static void Write(CheckOptions options, string rows, int number, int wrong)
    {
        string text = $"""
            # Samples on {RuntimeInformation.OSDescription} ({RuntimeInformation.OSArchitecture})

            {number - wrong} of {number} samples got the expected answer while they lived and from the dump that was kept.

            | sample | expected | living | its dump | right |
            |---|---|---|---|---|
            {rows}
            """.ReplaceLineEndings("\n");
        Console.WriteLine(text);
        if (options.Table is { } file)
        {
            File.WriteAllText(file, text);
        }
    }
}
