using System.Text.RegularExpressions;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>Wrong arguments of every command get one line that says what is expected; every link that a command prints runs.</summary>
public sealed partial class ExtensionArgumentTests
{
    private static string Fixture => Path.Combine(Repository.Root, "dumps-fixtures", "loader-exit.dmp");

    [SkippableFact]
    public void Wrong_arguments_are_one_line_that_says_what_is_expected()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (string Command, string Answer)[] cases =
        [
            .. ((string[])["verdict", "heldlocks", "spinners", "uihang"]).SelectMany(c => ((string, string)[])
            [
                ($"!{c} 5", "this command takes no '5'; -? shows what it takes"),
                ($"!{c} ~1", "this command takes no '~1'; -? shows what it takes"),
                ($"!{c} -all", "this command has no option '-all'; -? shows what it takes"),
                ($"!{c} -heap", "this command has no option '-heap'; -? shows what it takes"),
            ]),
            .. ((string[])["verdict", "lockchain", "heldlocks", "dictloop", "spinners", "uihang"]).SelectMany(c => ((string, string)[])
            [
                ($"!{c} -timeout", "-timeout needs a number of seconds from 1 to 86400"),
                ($"!{c} -timeout 0", "-timeout needs a number of seconds from 1 to 86400"),
                ($"!{c} -timeout 86401", "-timeout needs a number of seconds from 1 to 86400"),
                ($"!{c} -timeout many", "-timeout needs a number of seconds from 1 to 86400"),
                ($"!{c} -dac", "-dac needs the directory of the .NET runtime, in quotation marks when it has blanks"),
            ]),
            ("!lockchain -heap", "this command has no option '-heap'; -? shows what it takes"),
            ("!lockchain -stacks", "this command has no option '-stacks'; -? shows what it takes"),
            ("!lockchain ~1 -all", "give one thread, or -all"),
            ("!lockchain ~77", "there is no thread ~77; ~ lists them"),
            ("!lockchain ~x", "'~x' is no thread; give ~3 for a number of the debugger, or a system thread id such as 1a4"),
            ("!lockchain 0n99999", "there is no thread ~~[1869f]; ~ lists them"),
            ("!lockchain ~~[7777]", "there is no thread ~~[7777]; ~ lists them"),
            ("!lockchain 123456789", "'123456789' is no thread id; give it as 1a4, 0x1a4 or 0n420, or a number of the debugger as ~3"),
            ("!dictloop -all", "this command has no option '-all'; -? shows what it takes"),
            ("!dictloop 1000 -heap", "give an address or -heap, not both"),
        ];
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(Fixture, [.. cases.Select(c => c.Command)]);
        Assert.Equal(cases.Select(c => $"{c.Command}: dumpext: {c.Answer}\n"), cases.Zip(outputs, (c, o) => $"{c.Command}: {o}"));
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Every_link_of_every_command_runs()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(
            Fixture, "--dml", "!verdict -stacks", "!lockchain -all",
                $"!lockchain {Testing.Fixtures.Fixture.Named("loader-exit").Threads["exiting"].Single():x}", "!heldlocks", "!spinners -stacks",
                "!uihang -stacks", "!dictloop", "!dumphelp", "!dumphelp lockchain", "@links");
        CheckLinks(outputs.SkipLast(1), outputs[^1]);
    }

    /// <summary>
    /// Asserts that every link of some outputs was run and answered. <c>!cs</c> is a command of WinDbg's own extensions, which the lab's engine comes without.
    /// </summary>
    /// <param name="outputs">What commands printed, as markup.</param>
    /// <param name="results">What the host's <c>@links</c> printed after them.</param>
    internal static void CheckLinks(IEnumerable<string> outputs, string results)
    {
        string[] links = [.. outputs.SelectMany(o => Link().Matches(o)).Select(m => m.Groups[1].Value).Distinct()];
        Assert.NotEmpty(links);
        Assert.EndsWith($"\n{links.Length} links\n", results, StringComparison.Ordinal);
        Assert.All(links.Where(l => !l.StartsWith("!cs ", StringComparison.Ordinal)),
            l => Assert.Matches($"(?m)^link {Regex.Escape(l)}: 0x00000000, [1-9]", results));
        Assert.DoesNotContain("dumpext:", results, StringComparison.Ordinal);
        Assert.DoesNotMatch("No export (?!cs found)", results);
        Assert.DoesNotContain("Couldn't resolve error", results, StringComparison.Ordinal);
        Assert.DoesNotContain("Syntax error", results, StringComparison.Ordinal);
    }

    [GeneratedRegex("<link cmd=\"([^\"]*)\">")]
    private static partial Regex Link();
}
