using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>
/// The extension's commands in Microsoft's debugger engine (whose version the host checks), under Wine, on the fixture of a loader-lock deadlock.
/// </summary>
public sealed partial class ExtensionCommandTests
{
    private static string Fixture => Path.Combine(Repository.Root, "dumps-fixtures", "loader-exit.dmp");

    [SkippableFact]
    public void Verdict_is_what_the_program_prints()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string shown = ExtensionLab.Shipped.Run(Fixture, "!verdict")[0];
        Assert.Equal(DumpAnalyze.Run(Fixture).Output, shown);
        Assert.Contains("DUMP1001 Loader-lock deadlock (Likely)", shown, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Threads_are_named_as_debuggers_name_them()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string[] forms = ["!lockchain ~1", "!lockchain c8", "!lockchain 0xc8", "!lockchain 0n200", "!dumpext.lockchain ~~[c8]", "!LOCKCHAIN c8"];
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(Fixture,
            [.. forms, "~1s", "!lockchain", "!lockchain -all", "!lockchain ~9", "!lockchain 9999", "!lockchain zz", "!lockchain 1 2"]);
        string expected = DumpAnalyze.Run("lockchain", Fixture, "--thread", "0xc8").Output;
        Assert.All(outputs.Take(forms.Length - 1), o => Assert.Equal(expected, o));
        Assert.Equal(expected, outputs[forms.Length + 1]);
        Assert.Equal(DumpAnalyze.Run("lockchain", Fixture).Output, outputs[forms.Length + 2]);
        Assert.Equal("dumpext: there is no thread ~9; ~ lists them\n", outputs[forms.Length + 3]);
        Assert.Equal("dumpext: there is no thread ~~[9999]; ~ lists them\n", outputs[forms.Length + 4]);
        Assert.StartsWith("dumpext: 'zz' is no thread id", outputs[forms.Length + 5], StringComparison.Ordinal);
        Assert.Equal("dumpext: give one thread, or -all\n", outputs[forms.Length + 6]);
    }

    [SkippableFact]
    public void Every_command_has_help_and_refuses_what_it_does_not_know()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string[] commands = ["verdict", "lockchain", "heldlocks", "dictloop", "spinners", "uihang"];
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(
            Fixture, ["!dumphelp", "!dumpext.help", "!dumphelp nothing", .. commands.Select(c => $"!{c} -?"), .. commands.Select(c => $"!dumphelp {c}"),
                .. commands.Select(c => $"!{c} -nope")]);
        Assert.Equal(outputs[0], outputs[1]);
        Assert.All(commands, c => Assert.Contains($"  !{c} ", outputs[0], StringComparison.Ordinal));
        Assert.Equal("dumpext: there is no command 'nothing'; !dumphelp lists them\n", outputs[2]);
        for (int i = 0; i < commands.Length; i++)
        {
            Assert.StartsWith($"!{commands[i]}", outputs[3 + i], StringComparison.Ordinal);
            Assert.Equal(outputs[3 + i], outputs[3 + commands.Length + i]);
            Assert.Equal("dumpext: this command has no option '-nope'; -? shows what it takes\n", outputs[3 + (2 * commands.Length) + i]);
        }
    }

    [SkippableFact]
    public void Spinners_and_uihang_ask_their_detectors_only()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(Fixture, "!spinners", "!uihang", "!spinners -stacks", "!dictloop");
        Assert.Contains("DUMP2001 Spinning owner (Suspected)", outputs[0], StringComparison.Ordinal);
        Assert.DoesNotContain("DUMP1001", outputs[0], StringComparison.Ordinal);
        Assert.Contains("Nothing of that kind found", outputs[1], StringComparison.Ordinal);
        Assert.True(outputs[2].Length > outputs[0].Length);
        Assert.Equal(DumpAnalyze.Run("dictloop", Fixture).Output, outputs[3]);
    }

    [SkippableFact]
    public void Links_run_commands_that_work_and_the_text_between_them_is_the_plain_answer()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(Fixture, "--dml", "!verdict", "@links");
        string text = Markup().Replace(outputs[0], "").Replace(" [whole stack]", "", StringComparison.Ordinal)
            .Replace("&lt;", "<", StringComparison.Ordinal).Replace("&gt;", ">", StringComparison.Ordinal).Replace("&quot;", "\"", StringComparison.Ordinal)
                .Replace("&amp;", "&", StringComparison.Ordinal);
        Assert.Equal(DumpAnalyze.Run(Fixture).Output, text);
        foreach (string link in (string[])["~~[c8]s", "~~[cc]k", "!dumpext.lockchain c8", "!dumpext.lockchain cc", "lmvm mathplug", "dps 0x170069620"])
        {
            Assert.Contains($"<link cmd=\"{link}\">", outputs[0], StringComparison.Ordinal);
            Assert.Matches($"(?m)^link {Regex.Escape(link)}: 0x00000000, [1-9]", outputs[1]);
        }

        Assert.Contains("<link cmd=\"!cs 0x170069620\">critical section</link>", outputs[0], StringComparison.Ordinal);
        Assert.DoesNotMatch("(?m)^link (?!!cs ).*: 0x[^0]", outputs[1]);
        Assert.Contains("a cycle: the chain leads back into itself", outputs[1], StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Analysis_plug_in_adds_the_verdict_as_tags_in_its_phase_only()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string output = ExtensionLab.Shipped.Run(Fixture, "@analyze")[0];
        Assert.Matches(
            """(?s)^phase 1: 0x00000001\nphase 2: 0x00000000\n.*tag add 0xa0d00001: DUMP1001 Loader-lock deadlock \(Likely\)\nThread 1 .*tag command 0xa0d00002: !dumpext\.verdict\nphase 4: 0x00000001\nphase 8: 0x00000001\n""", output);
    }

    [GeneratedRegex("<[^>]*>")]
    private static partial Regex Markup();
}
