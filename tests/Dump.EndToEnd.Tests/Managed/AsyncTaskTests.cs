using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Assistant;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary><c>dumpanalyze tasks</c> on real cores, with and without heap, and on a living process.</summary>
[SupportedOSPlatform("linux")]
public sealed class AsyncTaskTests : IDisposable
{
    private const string Scenes = "Dump.Samples.Managed.Scenes.AsyncScenes.";
    private readonly LinuxLab _lab = new();

    [SkippableFact]
    public void Requests_at_one_semaphore_are_one_line_and_the_others_say_what_they_wait_for()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        CheckPending(DumpAnalyze.Run("tasks", _lab.Dump("async-pending").Path, "--format", "json"));
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("3.1.3")]
    [InlineData("8.0.0")]
    [InlineData("9.0.18")]
    public void Other_runtimes_are_read_as_well(string version)
    {
        LabDump dump = RuntimeCores.Make(_lab, version, "async-pending");
        CheckPending(DumpAnalyze.Run("tasks", dump.Path, "--format", "json", "--dac", PrivateRuntimes.Shared.Frameworks));
    }

    [SkippableFact]
    public void Text_names_methods_as_in_the_source_in_one_line()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string text = DumpAnalyze.Run("tasks", _lab.Dump("async-pending").Path).Output;
        const string Line = "AsyncScenes\\.cs:\\d+";
        Assert.Matches($"   10,000  {Scenes}HandleRequestAsync \\(state 0\\) {Line} -> {Scenes}ReadStoreAsync \\(state 1\\) {Line} -> SemaphoreSlim.WaitAsync  "
            + "\\[ends at 0x", text);
        Assert.Matches($"thread \\d+ \\([0-9]+ 'blocked'\\) blocks in {Scenes}AwaitAnswerAsync \\(state 0\\) {Line} -> TaskCompletionSource<Int32>", text);
        Assert.DoesNotContain("MoveNext", text, StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task An_assistant_gets_what_the_command_prints()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        FileInfo core = new(_lab.Dump("async-pending").Path);
        await using AssistantServer server = await AssistantServer.StartAsync(core.DirectoryName!, "--allow-strings");
        DumpAnalyze text = DumpAnalyze.Run("tasks", core.FullName);
        Assert.Contains("HandleRequestAsync", text.Output, StringComparison.Ordinal);
        Assert.Equal(text.Output, AssistantServer.Document(await server.CallAsync("tasks", ("path", core.Name))));
        Assert.Equal(DumpAnalyze.Run("dictloop", core.FullName, "--heap").Output,
            AssistantServer.Document(await server.CallAsync("dictloop", ("path", core.Name), ("heap", true))));
        JsonElement stack = AssistantServer.Json(await server.CallAsync("stackobjects", ("path", core.Name), ("thread", "0"), ("format", "json")));
        Assert.NotEqual(0, stack.Member("objects").GetArrayLength());
        JsonElement json = JsonDocument.Parse(DumpAnalyze.Run("tasks", core.FullName, "--format", "json").Output).RootElement;
        Assert.Equal(Chains(json), Chains(AssistantServer.Json(await server.CallAsync("tasks", ("path", core.Name), ("format", "json")))));
    }

    [SkippableFact]
    public void Healthy_program_has_a_loop_with_a_timer_and_nothing_lost_also_while_it_runs()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("async-healthy");
        DumpAnalyze run = DumpAnalyze.Run("tasks", "live", $"{running.ProcessId}", "--format", "json");
        Assert.Equal(0, run.ExitCode);
        JsonElement document = JsonDocument.Parse(run.Output).RootElement;
        Assert.Empty(JsonSchemaCheck.Errors(run.Output));
        string[] chains = Chains(document);
        Assert.All(chains, c => Assert.StartsWith($"1 {Scenes}LoopAsync", c, StringComparison.Ordinal));
        Assert.Single(chains);
        Assert.Empty(document.Member("faults").EnumerateArray());
        LiveLook.AssertGoesOn(running);
    }

    [SkippableFact]
    public void Task_whose_source_only_a_stack_has_is_not_lost()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        DumpAnalyze run = DumpAnalyze.Run("tasks", _lab.Dump("async-held").Path, "--format", "json");
        JsonElement chain = Assert.Single(JsonDocument.Parse(run.Output).RootElement.Member("chains").EnumerateArray());
        Assert.Equal($"1 {Scenes}AwaitAbandonedAsync > TaskCompletionSource<String>", Text(chain));
        Assert.False(chain.TryGetProperty("loss", out _));
    }

    [SkippableFact]
    public void Core_without_heap_says_what_to_capture()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        DumpAnalyze run = DumpAnalyze.Run("tasks", _lab.DumpAnew("idle", "normal").Path);
        Assert.Equal(13, run.ExitCode);
        Assert.Contains("the managed heap", run.Output, StringComparison.Ordinal);
        Assert.Contains("Capture: ", run.Output, StringComparison.Ordinal);
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Windows_dump_under_Wine_has_the_same_chains()
    {
        const string Version = "10.0.12";
        Skip.If(ManagedWineLab.Unavailable is not null, ManagedWineLab.Unavailable);
        (string? runtime, string? unavailable) = ManagedWineLab.Runtime(Version);
        Skip.If(unavailable is not null, unavailable);
        using ManagedWineLab lab = new();
        LabDump dump = lab.Dump(Version, "async-pending");
        CheckPending(DumpAnalyze.RunIn(
            [("WINEPREFIX", WineLab.Prefix)], "tasks", dump.Path, "--format", "json", "--wine", ManagedWineLab.Program, "--dac", runtime!));
    }

    private static void CheckPending(DumpAnalyze run)
    {
        Assert.Equal(0, run.ExitCode);
        Assert.Empty(JsonSchemaCheck.Errors(run.Output));
        JsonElement document = JsonDocument.Parse(run.Output).RootElement;
        string[] chains = Chains(document);
        Assert.Contains($"10000 {Scenes}HandleRequestAsync > {Scenes}ReadStoreAsync > SemaphoreSlim.WaitAsync", chains);
        Assert.Contains($"1 {Scenes}DelayedAsync > Task.Delay", chains);
        Assert.Contains($"1 {Scenes}AwaitAnswerAsync > TaskCompletionSource<Int32>", chains);
        Assert.Contains("1 Task.WhenAll", chains);
        JsonElement cycle = Assert.Single(document.Member("chains").EnumerateArray(), c => c.TryGetProperty("isCycle", out _));
        Assert.StartsWith($"1 {Scenes}AwaitOtherAsync", Text(cycle), StringComparison.Ordinal);
        JsonElement blocked = Assert.Single(document.Member("chains").EnumerateArray(), c => c.Member("threads").GetArrayLength() > 0);
        Assert.Equal($"1 {Scenes}AwaitAnswerAsync > TaskCompletionSource<Int32>", Text(blocked));
        (string Chain, string Loss)[] lost = [.. document.Member("chains").EnumerateArray().Where(c => c.TryGetProperty("loss", out _))
            .Select(c => (Text(c), c.Member("loss").GetString()!)).Order()];
        Assert.Equal([($"1 {Scenes}AwaitAbandonedAsync > TaskCompletionSource<String>", "NobodyCompletes"),
            ($"1 {Scenes}AwaitInContextAsync > (completed)", "NotContinued")], lost);
        JsonElement requests = document.Member("chains")[0];
        Assert.Equal((1, "count 0, 10,000 waiters"), (requests.Member("ends").GetInt32(), requests.Member("endState").GetString()));
        JsonElement fault = Assert.Single(document.Member("faults").EnumerateArray());
        Assert.Equal(($"{Scenes}FailAsync", "System.InvalidOperationException"),
            (fault.Member("task").GetString(), fault.Member("exception").GetString()));
    }

    private static string[] Chains(JsonElement document) => [.. document.Member("chains").EnumerateArray().Select(Text)];

    private static string Text(JsonElement chain) =>
        $"{chain.Member("count").GetInt64()} {string.Join(" > ", chain.Member("steps").EnumerateArray().Select(s => s.Member("name").GetString()))}";

    public void Dispose() => _lab.Dispose();
}
