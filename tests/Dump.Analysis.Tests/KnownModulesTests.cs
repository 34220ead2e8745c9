using Dump.Analysis.Options;
using Dump.Analysis.Rules;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using static Dump.Analysis.Tests.UiDetections;

namespace Dump.Analysis.Tests;

/// <summary>The list of libraries that get into other programs' processes: its form, and what it adds to a verdict.</summary>
public sealed class KnownModulesTests
{
    private const string One = """{"file": "contoso-hook64.dll", "category": "security", "vendor": "Contoso", "source": "case 4711"}""";

    public static TheoryData<string, string> Invalid => new()
    {
        { "", "not JSON" },
        { "{", "not JSON" },
        { "[]", "schema" },
        { """{"schema": "known-modules/2", "modules": []}""", "schema" },
        { """{"schema": 1, "modules": []}""", "schema" },
        { """{"schema": "known-modules/1", "schema": "known-modules/1", "modules": []}""", "not JSON" },
        { """{"schema": "known-modules/1"}""", "not an array" },
        { """{"schema": "known-modules/1", "modules": {}}""", "not an array" },
        { """{"schema": "known-modules/1", "modules": [], "more": 1}""", "unknown field 'more'" },
        { List("1"), "entry 1 is not an object" },
        { List(One, One.Replace("contoso", "CONTOSO", StringComparison.Ordinal)), "is there twice" },
        { List(One.Replace("file", "name", StringComparison.Ordinal)), "entry 1 has an unknown field 'name'" },
        { List(One, """{"file": "b.dll", "category": "hook", "vendor": "B"}"""), "entry 2: \"source\"" },
        { List(One.Replace("Contoso", " ", StringComparison.Ordinal)), "\"vendor\"" },
        { List(One.Replace("Contoso", @"\u202e", StringComparison.Ordinal)), "\"vendor\"" },
        { List(One.Replace("Contoso", new string('x', 256), StringComparison.Ordinal)), "\"vendor\"" },
        { List(One.Replace("\"Contoso\"", "7", StringComparison.Ordinal)), "\"vendor\"" },
        { List(One.Replace("security", "Security", StringComparison.Ordinal)), "'Security' is no category" },
        { List(One.Replace("security", "1", StringComparison.Ordinal)), "'1' is no category" },
        { List(One.Replace("contoso-hook64.dll", "*.dll", StringComparison.Ordinal)), "is not a file name" },
        { List(One.Replace("contoso-hook64.dll", @"C:\\a\\b.dll", StringComparison.Ordinal)), "is not a file name" },
        { List(One.Replace("contoso-hook64.dll", "hook64", StringComparison.Ordinal)), "is not a file name" },
        { List(One.Replace("contoso-hook64.dll", ".dll", StringComparison.Ordinal)), "is not a file name" },
    };

    private static string List(params string[] entries) => $$"""{"schema": "known-modules/1", "modules": [{{string.Join(",", entries)}}]}""";

    private static AnalysisOptions With(params string[] entries) => new() { KnownModules = KnownModules.Default.With(List(entries)) };

    [Theory]
    [MemberData(nameof(Invalid))]
    public void List_of_another_form_is_an_error_that_says_what_is_wrong(string text, string words) =>
        Assert.Contains(words, Assert.Throws<InvalidRulesException>(() => KnownModules.Default.With(text)).Message, StringComparison.Ordinal);

    [Fact]
    public void Built_in_list_has_a_source_for_every_entry() =>
        Assert.All(KnownModules.Default.All, m => Assert.True(m.Source.Contains('/', StringComparison.Ordinal), m.File));

    [Fact]
    public void Own_entry_counts_before_the_built_in_one()
    {
        KnownModules both = KnownModules.Default.With(List(One, One.Replace("contoso-hook64", "guard64", StringComparison.Ordinal)));
        Assert.Equal("Contoso", both.Find("Guard64.DLL")?.Vendor);
        Assert.Equal("COMODO", KnownModules.Default.Find("guard64.dll")?.Vendor);
        Assert.Equal(KnownModuleCategory.Overlay, both.Find("graphics-hook64.dll")?.Category);
    }

    private static Verdict Hooked(string[] handler, AnalysisOptions? options = null) =>
        Assert.Single(HangAnalysis.Run(new SnapshotBuilder().Thread(1, frames: handler).Wait(1, Event).Build(), options).Verdicts);

    [Fact]
    public void Library_on_the_stack_is_named_with_its_vendor()
    {
        Verdict verdict = Hooked(UiThreadStacks.Exports([.. UiThreadStacks.EventWait, "inprocessclient64"]));
        Claim claim = Assert.Single(verdict.Claims, c => c.Text.Contains("SentinelOne", StringComparison.Ordinal));
        Assert.Equal(Confidence.Likely, claim.Confidence);
        Assert.StartsWith("inprocessclient64.dll stands on the stack of thread 0 (0x1): by its name a security product", claim.Text, StringComparison.Ordinal);
        Assert.Equal("app.exe", verdict.Culprit?.Module);
    }

    [Fact]
    public void Library_that_runs_the_handler_is_the_one_to_blame_wherever_it_is_installed()
    {
        string[] hooked = [.. UiThreadStacks.EventWait, "contoso-hook64!Filter", "user32", "ntdll!KiUserCallbackDispatcher", "win32u!NtUserGetMessage",
            "user32!GetMessageW", "app!WinMain"];
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: hooked).Wait(1, Event).Build();
        ModuleSnapshot installed = new("contoso-hook64.dll", @"C:\Windows\System32\contoso-hook64.dll", 0x5000_0000, 0x1000, 1, "3.1.0.7", true) { Vendor =
            "Contoso Ltd" };
        snapshot = snapshot with { Modules = [.. snapshot.Modules, installed] };
        Assert.Null(Assert.Single(HangAnalysis.Run(snapshot).Verdicts).Culprit);
        Verdict listed = Assert.Single(HangAnalysis.Run(snapshot, With(One)).Verdicts);
        Assert.Equal(new Culprit("contoso-hook64.dll", "message handler Filter", 1) { Version = "3.1.0.7", Vendor = "Contoso Ltd" }, listed.Culprit);
    }

    [Theory]
    [InlineData("inprocessclient64x")]
    [InlineData("inprocessclient")]
    public void Similar_name_is_another_library(string module) =>
        Assert.DoesNotContain(Hooked(UiThreadStacks.Exports([.. UiThreadStacks.EventWait, module])).Claims, c =>
            c.Text.Contains("SentinelOne", StringComparison.Ordinal));

    [Fact]
    public void Guessed_frame_only_suspects_the_library()
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Exports([.. UiThreadStacks.EventWait, "windhawk"]),
            trust: FrameTrust.Scan).Wait(1, Event).Build();
        Assert.Equal(Confidence.Suspected, Assert.Single(HangAnalysis.Run(snapshot).Verdicts)
            .Claims.Single(c => c.Text.Contains("Windhawk", StringComparison.Ordinal)).Confidence);
    }

    [Fact]
    public void Loaded_library_and_one_on_an_idle_stack_say_nothing()
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, UiThreadStacks.IdleWin32)
            .Thread(2, ThreadActivityKind.Idle, ["ntdll!NtRemoveIoCompletion", "windhawk"]).Build();
        Assert.Empty(HangAnalysis.Run(snapshot with { Modules = [.. snapshot.Modules,
            new ModuleSnapshot("windhawk.dll", @"C:\w\windhawk.dll", 0x5000_0000, 0x1000, 1, null, false)] }).Verdicts);
    }
}
