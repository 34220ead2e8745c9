using System.Globalization;
using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Lines of managed frames and pending methods: those that .NET's own stack traces of the same threads have.</summary>
[SupportedOSPlatform("linux")]
public sealed class SourceLineTests : IDisposable
{
    private const string Scenes = "AwaitLineScenes.cs";

    // Here .NET differs: it has one frame for a method and its finally block, with the line on which the method begins.
    private static readonly (string Function, string Line)[] s_finally = [(".TraceScenes.Cleanup", "Next(stage, position);"), (".TraceShapes.Dispose", "}")];

    // And here, in optimised code: it gives a call whose code begins the method's end the line of that end, takes the first of two statements with one code, and
    // has no line for code between statements.
    private static readonly (string Function, string Line)[] s_optimised =
    [
        (".TraceShapes.Source.Raise", "Raised?.Invoke(this, number);"), (".TraceVersions.Iterate", "foreach (int number in Numbers(stage, standing))"),
        (".TraceStatements.Lazily", "new(() =>"),
    ];

    // So that calls are counted from the first one on, and the code that follows is not waited for.
    private static readonly (string Name, string Value)[] s_countAtOnce = [("DOTNET_TC_CallCountingDelayMs", "0")];

    private readonly LinuxLab _lab = new();
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-lines-").FullName;

    /// <inheritdoc/>
    public void Dispose()
    {
        _lab.Dispose();
        Directory.Delete(_directory, recursive: true);
    }

    [SkippableFact]
    public void Lines_of_200_frames_are_those_of_the_stack_traces_of_DotNet()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("stack-traces");
        DumpAnalyze live = DumpAnalyze.Run("live", $"{running.ProcessId}", "--stacks", "all", "--format", "json");
        Compare(running, live.Output, isOptimised: false, 1_000);
        Compare(running, DumpAnalyze.Run("threads", _lab.Dump(running, "stack-traces").Path, "--format", "json").Output, isOptimised: false, 1_000);
    }

    /// <summary>There methods lie inside of others, whose frames neither has, and every line is marked as the nearest one.</summary>
    [SkippableFact]
    public void Lines_of_optimised_code_are_those_of_DotNet_and_marked()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm("stack-traces");
        Compare(running, DumpAnalyze.Run("threads", _lab.Dump(running, "stack-traces-warm").Path, "--format", "json").Output, isOptimised: true, 1_000);
    }

    /// <summary>The first code of a method, the code that counts, the optimised one, and those that replace a loop while it runs.</summary>
    [SkippableFact]
    public void Lines_are_those_of_DotNet_in_each_code_that_a_method_has_had()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartOptimised("stack-versions", s_countAtOnce);
        CompareVersions(running, _lab.Dump(running, "stack-versions").Path, hasLoops: true, 60);
    }

    /// <summary>The same on runtimes that compile methods anew by rules of their own.</summary>
    [SkippableTheory]
    [InlineData("8.0.0", false, 50)]
    [InlineData("9.0.18", true, 60)]
    public void Lines_are_those_of_another_DotNet_in_each_code_that_a_method_has_had(string version, bool hasLoops, int fewest)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string? framework = PrivateRuntimes.Shared.Add(version);
        Skip.If(framework is null, $"NuGet package Microsoft.NETCore.App.Runtime.linux-x64 {version} is not restored");
        using LiveScene running = LinuxLab.StartOptimisedOn("stack-versions", version, s_countAtOnce);
        CompareVersions(running, _lab.DumpOn(running, "stack-versions", framework).Path, hasLoops, fewest, "--dac", PrivateRuntimes.Shared.Frameworks);
    }

    [SkippableFact]
    public void Symbols_inside_of_the_module_give_lines_too()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string core = RuntimeCores.Make(_lab, "8.0.0", "monitor-cycle2").Path;
        Assert.Contains("MonitorScenes.cs:", DumpAnalyze.Run(core, "--dac", PrivateRuntimes.Shared.Frameworks).Output, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Pending_methods_have_the_lines_of_their_awaits()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("async-lines");
        CheckAwaits(running, DumpAnalyze.Run("tasks", "live", $"{running.ProcessId}", "--format", "json").Output);
        LabDump dump = _lab.Dump(running, "async-lines");
        CheckAwaits(running, DumpAnalyze.Run("tasks", dump.Path, "--format", "json").Output);
        string text = DumpAnalyze.Run("tasks", dump.Path).Output;
        Assert.Matches($"OuterAsync \\(state \\d\\) {Scenes}:\\d+ -> ", text);
        using LiveScene optimised = LinuxLab.StartOptimised("async-lines");
        CheckAwaits(optimised, DumpAnalyze.Run("tasks", "live", $"{optimised.ProcessId}", "--format", "json").Output);
    }

    /// <summary>Where nothing is judged the calls lead the report, and a second look says that they stand.</summary>
    [SkippableFact]
    public void Calls_of_a_program_are_told_with_the_lines_of_their_awaits_before_all_else()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("async-lines");
        DumpAnalyze live = DumpAnalyze.Run("live", $"{running.ProcessId}");
        Assert.Equal(0, live.ExitCode);
        Assert.Matches($@"What it waits for\n(  - .*\n)*  - 1 call of \S+\.InnerAsync {Scenes}:\d+ waits for TaskCompletionSource<Int32> 0x[0-9a-f]+\.\n(  - .*\n)*\nNo hang found: ", live.Output);
        Assert.Contains($"dumpanalyze live {running.ProcessId} --keep b.core", live.Output, StringComparison.Ordinal);
        string[] kept = [Path.Combine(_directory, "first.core"), Path.Combine(_directory, "second.core")];
        Array.ForEach(kept, k => DumpAnalyze.Run("live", $"{running.ProcessId}", "--keep", k));
        string pair = DumpAnalyze.Run(kept).Output;
        Assert.Matches($@"InnerAsync {Scenes}:\d+ waits for TaskCompletionSource<Int32> 0x[0-9a-f]+\. It was seen there in the first dump", pair);
    }

    [SkippableFact]
    public void Sentence_on_a_blocking_thread_has_the_line_of_the_await()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("sync-over-async-context");
        Assert.Matches(@"blocks in the task of \S+ \w+\.cs:\d+[,. ]", DumpAnalyze.Run(_lab.Dump(running, "sync-over-async-context").Path, "--brief").Output);
    }

    [SkippableFact]
    public void Sentence_on_calls_that_wait_for_sources_of_their_own_has_the_line_of_the_await()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("pending-calls");
        DumpAnalyze run = DumpAnalyze.Run(_lab.Dump(running, "pending-calls").Path);
        Assert.Equal(13, run.ExitCode);
        Assert.Matches(@"calls of \S+ \w+\.cs:\d+ each wait", run.Output.ReplaceLineEndings(" "));
    }

    [Fact]
    public void Template_of_links_needs_a_page_and_a_public_address()
    {
        string dump = Dump.Testing.Fixtures.Fixture.Named("loader-exit").Path;
        DumpAnalyze other = DumpAnalyze.Run(dump, "--html", "page.html", "--source-url", "javascript:{path}");
        Assert.Equal(2, other.ExitCode);
        Assert.Contains("--source-url javascript:{path}: give an http or https address", other.Error, StringComparison.Ordinal);
        DumpAnalyze alone = DumpAnalyze.Run(dump, "--source-url", "https://git.example/{path}");
        Assert.Equal(2, alone.ExitCode);
        Assert.Contains("add --html FILE", alone.Error, StringComparison.Ordinal);
    }

    private static void CheckAwaits(LiveScene scene, string json)
    {
        Assert.Empty(JsonSchemaCheck.Errors(json));
        string[] expected = [.. scene.Lines.Select(l => l.Split(' ')).Where(l => l[0] == "await").Select(l => $"{l[2]} {l[1]}").Order(StringComparer.Ordinal)];
        Assert.Equal(4, expected.Length);
        Dictionary<string, string> lines = [];
        foreach (JsonElement step in JsonDocument.Parse(json).RootElement.Member("chains").EnumerateArray()
            .SelectMany(c => c.Member("steps").EnumerateArray()).Where(s => s.TryGetProperty("source", out _)))
        {
            string name = step.Member("name").GetString()!;
            Assert.Equal(Scenes, Path.GetFileName(step.Member("source").Member("file").GetString()));
            lines[name[(name.LastIndexOf('.') + 1)..]] = step.Member("source").Member("line").GetInt32().ToString(CultureInfo.InvariantCulture);
        }

        Assert.Empty(expected.Except(lines.Select(l => $"{l.Key} {l.Value}")));
    }

    private static void CompareVersions(LiveScene running, string core, bool hasLoops, int fewest, params string[] options)
    {
        ILookup<string, string> codes = running.Lines.Select(l => l.Split(' ')).Where(l => l[0] == "code").ToLookup(l => l[1], l => l[2]);
        string[] methods = ["Computed", "Generic", "Guarded", "Numbers", "Plain", "ResumeAsync"];
        Assert.Equal([.. methods.Concat(hasLoops ? ["Loop", "NestedLoop"] : []).Order()], codes.Select(c => c.Key).Order());
        Assert.All(codes.Where(c => !c.Key.EndsWith("Loop", StringComparison.Ordinal)), c => Assert.Equal(3, c.Distinct().Count()));
        DumpAnalyze live = DumpAnalyze.Run(["live", $"{running.ProcessId}", "--stacks", "all", "--format", "json", .. options]);
        Compare(running, live.Output, isOptimised: true, fewest);
        Compare(running, DumpAnalyze.Run(["threads", core, "--format", "json", .. options]).Output, isOptimised: true, fewest);
    }

    private static void Compare(LiveScene scene, string json, bool isOptimised, int fewest)
    {
        Assert.Empty(JsonSchemaCheck.Errors(json));
        (string Function, string Line)[] differences = isOptimised ? [.. s_finally, .. s_optimised] : s_finally;
        ILookup<uint, string> expected = scene.Lines.Select(l => l.Split(' ', 5)).Where(l => l[0] == "frame")
            .Where(l => !differences.Any(d => l[4].Replace('+', '.').EndsWith(d.Function, StringComparison.Ordinal)))
            .ToLookup(l => uint.Parse(l[1], CultureInfo.InvariantCulture), l => $"{l[3]}:{l[2]}");
        int compared = 0, threads = 0;
        foreach (JsonElement stack in Stacks(JsonDocument.Parse(json).RootElement))
        {
            uint thread = (stack.TryGetProperty("thread", out JsonElement id) ? id : stack.Member("id")).GetUInt32();
            if (!expected.Contains(thread))
            {
                continue;
            }

            (string Function, JsonElement Source)[] frames =
            [
                .. stack.Member("frames").EnumerateArray().Where(f => f.Member("function").GetString() is not null)
                    .SkipWhile(f => !f.Member("function").GetString()!.EndsWith(".Stand", StringComparison.Ordinal)).Skip(1)
                    .Where(f => f.TryGetProperty("source", out _)).Select(f => (f.Member("function").GetString()!, f.Member("source"))),
            ];
            foreach ((string function, string text) in differences)
            {
                // A finally block comes before its method.
                Assert.All(frames.Where(f => f.Function.EndsWith(function, StringComparison.Ordinal)).Take(1), f => Assert.EndsWith(text, TextOf(f.Source)));
            }

            frames = [.. frames.Where(f => !differences.Any(d => f.Function.EndsWith(d.Function, StringComparison.Ordinal)))];
            Assert.Equal(expected[thread],
                frames.Select(f => $"{Path.GetFileName(f.Source.Member("file").GetString())}:{f.Source.Member("line").GetInt32()}"));
            Assert.All(frames, f => Assert.Equal(isOptimised, f.Source.TryGetProperty("approximate", out _)));
            Assert.All(frames, f => Assert.True(f.Source.Member("column").GetInt32() > 0));
            compared += frames.Length;
            threads++;
        }

        Assert.Equal(expected.Count, threads);
        Assert.True(compared >= fewest, $"only {compared} frames were compared");
    }

    private static string TextOf(JsonElement source)
    {
        // A reproducible build has this in place of the repository's directory.
        const string Mapped = "/_/";
        string file = source.Member("file").GetString()!;
        return File.ReadLines(file.StartsWith(Mapped, StringComparison.Ordinal) ? Path.Combine(Repository.Root, file[Mapped.Length..]) : file)
            .ElementAt(source.Member("line").GetInt32() - 1).Trim();
    }

    private static IEnumerable<JsonElement> Stacks(JsonElement report) =>
        (report.TryGetProperty("stacks", out JsonElement stacks) ? stacks : report.Member("threads")).EnumerateArray()
            .Where(s => s.TryGetProperty("frames", out JsonElement frames) && frames.ValueKind == JsonValueKind.Array);
}
