using System.Text;
using System.Text.RegularExpressions;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>
/// How the extension calls the engine and what becomes of its answer, with a program in the engine's place that says how it was called
/// (<c>tests/enginestandin</c>).
/// </summary>
public sealed partial class ExtensionCallTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-call-").FullName;

    private static string Fixture => Path.Combine(Repository.Root, "dumps-fixtures", "loader-exit.dmp");

    private static uint Exiting => Testing.Fixtures.Fixture.Named("loader-exit").Threads["exiting"].Single();

    [SkippableFact]
    public void Engine_runs_in_its_own_directory_and_gets_full_paths()
    {
        string load = PutStandIn();
        string current = Directory.CreateDirectory(Path.Combine(_directory, "current", "images")).Parent!.FullName;
        File.Copy(Fixture, Path.Combine(current, "hang.dmp"));
        IReadOnlyList<string> outputs = Run(
            load, "!verdict -dac runtime", $"@directory {WineLab.WindowsPath(current)}", ".sympath pdb;srv*cache*https://symbols.example/s", ".exepath images",
                "!verdict -dac ..\\runtime", $"!lockchain {Exiting:x} -dac C:\\runtime");
        string here = WineLab.WindowsPath(current);
        Assert.Equal(WineLab.WindowsPath(Path.Combine(_directory, "engine")), Said(outputs[1], "directory"));
        Assert.Equal(WineLab.WindowsPath(Path.Combine(_directory, "engine")), Said(outputs[5], "directory"));
        Assert.Equal($"{here}\\pdb;srv*{here}\\cache*https://symbols.example/s", Said(outputs[5], "symbols"));
        string[] expected = [WineLab.WindowsPath(Fixture), "--dac", $"{WineLab.WindowsPath(_directory)}\\runtime", "--images", $"{here}\\images", "--format",
            "text"];
        Assert.Equal(expected, Argument().Matches(outputs[5]).Select(m => m.Groups[1].Value));
        Assert.Equal("C:\\runtime", Argument().Matches(outputs[6]).Select(m => m.Groups[1].Value).ElementAt(5));
    }

    [SkippableFact]
    public void Settings_of_the_debuggers_runtimes_stay_with_the_debugger_but_for_the_one_that_Wine_needs()
    {
        string load = PutStandIn();
        IReadOnlyList<string> outputs = Run(load, "@environment DOTNET_STARTUP_HOOKS=C:\\hook.dll", "@environment COR_ENABLE_PROFILING=1",
            "@environment COMPlus_EnableDiagnostics=1", "@environment dotnet_gcServer=1", "!verdict");
        string[] settings = [.. outputs[5].Split('\n').Where(l => l.StartsWith("setting ", StringComparison.Ordinal))];
        Assert.Equal(["setting DOTNET_EnableWriteXorExecute=0"], settings);
    }

    [SkippableFact]
    public void Arguments_are_UTF_8_or_else_in_the_code_page_of_the_debugger()
    {
        string load = PutStandIn();

        // Microsoft's engine hands over what it was told in the code page, where this prefix has that of Western Europe; other hosts hand over UTF-8.
        IReadOnlyList<string> outputs = Run(load, "!verdict -dac \"C:\\Läufe é\"", $"@bytes verdict {Hex("-dac C:\\Läufe", Encoding.UTF8)}",
            $"@bytes verdict {Hex("-dac C:\\Läufe", Encoding.Latin1)}", $"@bytes dumphelp {Hex("é", Encoding.Latin1)}");
        Assert.Equal("C:\\Läufe é", Dac(outputs[1]));
        Assert.Equal("C:\\Läufe", Dac(outputs[2]));
        Assert.Equal("C:\\Läufe", Dac(outputs[3]));
        Assert.Equal("dumpext: there is no command 'é'; !dumphelp lists them\n", outputs[4]);
    }

    [SkippableFact]
    public void Directory_whose_letters_the_debugger_lost_is_refused()
    {
        string load = PutStandIn();
        IReadOnlyList<string> outputs = Run(load, "!verdict -dac C:\\\u4e2d\u6587", "!verdict -dac \\\\?\\C:\\runtime");
        Assert.StartsWith("dumpext: 'C:\\??' has a question mark: the debugger hands over no letters beyond the system's code page; give the short names",
            outputs[1], StringComparison.Ordinal);
        Assert.Equal("\\\\?\\C:\\runtime", Dac(outputs[2]));
    }

    [SkippableFact]
    public void Line_of_markup_that_is_longer_than_the_debuggers_buffer_is_shown_whole()
    {
        string load = PutStandIn();
        string output = Run("--dml", load, "@environment STANDIN_LINE=40000", "!verdict")[2];
        string[] lines = output.TrimEnd('\n').Split('\n');
        Assert.Equal(2, lines.Length);
        Assert.Equal("last", lines[1]);
        string[] links = [.. Link().Matches(lines[0]).Select(m => m.Groups[1].Value)];
        Assert.True(links.Length > 5, $"{links.Length} links");
        Assert.Equal(lines[0].Length, Link().Matches(lines[0]).Sum(m => m.Length));
        Assert.All(links, l => Assert.Equal(Count(l, "<b>"), Count(l, "</b>")));
        string shown = Tag().Replace(lines[0], "").Replace("&lt;", "<", StringComparison.Ordinal).Replace("&gt;", ">", StringComparison.Ordinal);
        int words = Count(shown, "<ü>");
        Assert.True(words > 1500, $"{words} words");
        Assert.Equal(string.Concat(Enumerable.Range(0, words).Select(i => $"{i} <ü> ")), shown);
    }

    [SkippableFact]
    public void Answer_of_a_mebibyte_arrives_whole()
    {
        string load = PutStandIn();
        string output = Run(load, "@environment STANDIN_BYTES=1048600", "!verdict")[2];
        Assert.Equal(10486, output.TrimEnd('\n').Split('\n').Length);
        Assert.Equal(1048600, output.Length);
    }

    [SkippableFact]
    public void Answer_that_is_no_report_is_an_error_of_the_expression_and_adds_no_tag()
    {
        string load = PutStandIn();
        IReadOnlyList<string> outputs = Run(load, "dx @$hang()", "@analyze", "@environment STANDIN_NESTED=1000000", "dx @$hang()", "@analyze", "!verdict -?");
        Assert.Equal("Error: dumpext: the engine's answer is not usable: no JSON\n", outputs[1].TrimStart());
        Assert.Equal("Error: dumpext: the engine's answer is not usable: nested too deep\n", outputs[4].TrimStart());
        Assert.All([outputs[2], outputs[5]], o => Assert.Contains("phase 2: 0x00000001\n", o, StringComparison.Ordinal));
        Assert.All([outputs[2], outputs[5]], o => Assert.DoesNotContain("tag ", o, StringComparison.Ordinal));
        Assert.StartsWith("!verdict", outputs[6], StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private static string Said(string output, string what) => Regex.Match(output, $"(?m)^{what} (.*)$").Groups[1].Value;

    private static string Dac(string output) => Regex.Match(output, "(?m)^argument --dac\nargument (.*)$").Groups[1].Value;

    private static string Hex(string text, Encoding encoding) => Convert.ToHexString(encoding.GetBytes(text));

    private static int Count(string text, string part) => (text.Length - text.Replace(part, "", StringComparison.Ordinal).Length) / part.Length;

    /// <summary>
    /// Puts the extension and the program in the engine's place into the test's directory; gives the command that loads it. Skips the test where it cannot be
    /// had.
    /// </summary>
    private string PutStandIn()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string engine = Directory.CreateDirectory(Path.Combine(_directory, "engine")).FullName;
        File.Copy(Path.Combine(ExtensionLab.Shipped.Directory, "dumpext.dll"), Path.Combine(_directory, "dumpext.dll"));
        File.Copy(Path.Combine(WineLab.Prefix, "..", "samples", "enginestandin.exe"), Path.Combine(engine, "dumpanalyze.exe"));

        // The extension looks at its version.
        File.Copy(Path.Combine(ExtensionLab.Shipped.Directory, "engine", "dumpanalyze.dll"), Path.Combine(engine, "dumpanalyze.dll"));
        return ExtensionLab.Shipped.Load(_directory);
    }

    /// <summary>What each command printed, the one that loads first.</summary>
    private static IReadOnlyList<string> Run(params string[] commands) => ExtensionLab.Split(WineLab.Shared.RunDebugger(Fixture, commands), commands);

    [GeneratedRegex("(?m)^argument (.*)$")]
    private static partial Regex Argument();

    [GeneratedRegex("<link cmd=\"~~\\[c4\\]k\">(.*?)</link>")]
    private static partial Regex Link();

    [GeneratedRegex("<[^>]*>")]
    private static partial Regex Tag();
}
