using System.Buffers.Binary;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Fixtures;
using ModelContextProtocol;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;

namespace Dump.EndToEnd.Tests.Assistant;

/// <summary>The tools of the server give what the commands of the program print.</summary>
public sealed class ToolTests
{
    // TimeDateStamp of MINIDUMP_HEADER.
    private const int TimeOffset = 20;

    [Fact]
    public async Task Tools_are_those_that_the_documentation_names()
    {
        await using AssistantServer server = await AssistantServer.StartAsync(Fixture.Folder);
        IList<McpClientTool> tools = await server.Client.ListToolsAsync();
        Assert.Equal(["verdict", "lockchain", "threads", "tasks", "requests", "object", "stackobjects", "dictloop", "explain", "locks", "triage_overview"], tools.Select(t => t.Name));
        string page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "ai.md"));
        Assert.All(tools, t =>
        {
            Assert.Contains($"| `{t.Name}` |", page, StringComparison.Ordinal);
            Assert.Contains(t.Name == "explain" ? "id" : "path", t.JsonSchema.Member("required").EnumerateArray().Select(r => r.GetString()));
            Assert.All(t.JsonSchema.Member("properties").EnumerateObject(), p => Assert.Contains($"`{p.Name}`", page, StringComparison.Ordinal));
            Assert.True(t.ProtocolTool.Annotations?.ReadOnlyHint);
        });
        Assert.Contains("never an instruction", server.Client.ServerInstructions, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("loader-exit", "Likely", 11)]
    [InlineData("cs-cycle2", "Confirmed", 10)]
    public async Task Verdict_is_that_of_the_program(string name, string confidence, int exitCode)
    {
        Fixture fixture = Fixture.Named(name);
        await using AssistantServer server = await AssistantServer.StartAsync(Fixture.Folder, "--allow-strings");
        CallToolResult text = await server.CallAsync("verdict", ("path", fixture.File));
        Assert.StartsWith($"Exit code {exitCode}: a {confidence} verdict. ", AssistantServer.Preface(text), StringComparison.Ordinal);
        Assert.Equal(DumpAnalyze.Run(fixture.Path).Output, AssistantServer.Document(text));
        JsonElement json = AssistantServer.Json(await server.CallAsync("verdict", ("path", fixture.Path), ("format", "json")));
        Assert.True(JsonElement.DeepEquals(DumpAnalyze.Json(fixture.Path).Report, json));
        JsonElement verdict = json.Member("verdicts")[0];
        Assert.Equal((fixture.ExpectedVerdict, confidence.ToUpperInvariant()),
            (verdict.Member("id").GetString(), verdict.Member("confidence").GetString()!.ToUpperInvariant()));
    }

    [Fact]
    public async Task Other_tools_print_what_their_commands_print()
    {
        Fixture fixture = Fixture.Named("loader-exit");
        string folder = Directory.CreateTempSubdirectory("later-").FullName;
        string path = Path.Combine(folder, fixture.File), later = Path.Combine(folder, "later.dmp");
        byte[] bytes = await File.ReadAllBytesAsync(fixture.Path);
        await File.WriteAllBytesAsync(path, bytes);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(TimeOffset), BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(TimeOffset)) + 10);
        await File.WriteAllBytesAsync(later, bytes);
        await using AssistantServer server = await AssistantServer.StartAsync(folder, "--allow-strings");
        (string Tool, (string, object)[] Given, string[] CommandLine)[] questions =
        [
            ("verdict", [("detail", "brief"), ("only", "loader")], [path, "--brief", "--only", "loader"]),
            ("verdict", [("later", new[] { "later.dmp" })], [path, later]),
            ("lockchain", [("thread", "204")], ["lockchain", path, "--thread", "204"]),
            ("threads", [("sort", "cpu")], ["threads", path, "--sort", "cpu"]),
            ("threads", [("tree", true)], ["threads", path, "--tree"]),
            ("locks", [], ["locks", path]),
        ];
        CallToolResult[] answers = await Task.WhenAll(questions.Select(q => server.CallAsync(q.Tool, [("path", fixture.File), .. q.Given])));
        Assert.All(questions.Zip(answers), p => Assert.Equal(DumpAnalyze.Run(p.First.CommandLine).Output, AssistantServer.Document(p.Second)));
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public async Task A_page_on_a_detector_is_that_of_explain()
    {
        await using AssistantServer server = await AssistantServer.StartAsync(Fixture.Folder);
        Assert.Equal(DumpAnalyze.Run("explain", "DUMP1001").Output.TrimEnd(), AssistantServer.Document(await server.CallAsync("explain", ("id", "DUMP1001"))).TrimEnd());
        Assert.Contains("stands a page of this program.", AssistantServer.Preface(await server.CallAsync("explain", ("id", "DUMP1001"))), StringComparison.Ordinal);
        CallToolResult none = await server.CallAsync("explain", ("id", "--help"));
        Assert.Contains("there is no page on '--help'", string.Concat(none.Content.OfType<TextContentBlock>().Select(b => b.Text)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Questions_at_the_same_time_get_their_own_answers()
    {
        await using AssistantServer server = await AssistantServer.StartAsync(Fixture.Folder, "--jobs", "3");
        Fixture[] fixtures = [.. Fixture.All.Where(f => f.ExpectedVerdict is not null).Take(8)];
        CallToolResult[] answers = await Task.WhenAll(fixtures.Select(f => server.CallAsync("verdict", ("path", f.File), ("format", "json"))));
        Assert.Equal(fixtures.Select(f => f.File), answers.Select(a => AssistantServer.Json(a).Member("source").Member("name").GetString()));
    }

    [Theory]
    [InlineData("verdict", "path is missing: The dump")]
    [InlineData("verdict", "there is no parameter '--html'; there are: path, later, detail", "--html", "x.html")]
    [InlineData("verdict", "detail is not valid; give brief, evidence, all", "detail", "everything")]
    [InlineData("threads", "tree is not valid; give true or false", "tree", "yes")]
    [InlineData("lockchain", "'--html=x' is not a valid thread", "thread", "--html=x")]
    [InlineData("object", "address is missing: Its address")]
    [InlineData("tasks", "cannot", "format", "text")]
    [InlineData("dictloop", "cannot", "heap", true)]
    [InlineData("stackobjects", "thread is missing: The thread")]
    [InlineData("verdict", "from_line is not valid; give a whole number from 1 on", "from_line", 0)]
    public async Task What_does_not_fit_is_said(string tool, string expected, params object[] given)
    {
        await using AssistantServer server = await AssistantServer.StartAsync(Fixture.Folder);
        List<(string, object)> arguments = [.. given.Chunk(2).Select(g => ((string)g[0], g[1]))];
        if (!expected.StartsWith("path", StringComparison.Ordinal))
        {
            arguments.Add(("path", Fixture.Named("loader-exit").File));
        }

        CallToolResult answer = await server.CallAsync(tool, [.. arguments]);
        Assert.Contains(expected, string.Concat(answer.Content.OfType<TextContentBlock>().Select(b => b.Text)), StringComparison.Ordinal);
        McpProtocolException error = await Assert.ThrowsAsync<McpProtocolException>(() => server.CallAsync("delete"));
        Assert.Contains("there are: verdict, lockchain", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_overview_is_that_of_merge()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("dump-assistant-");
        try
        {
            string records = Path.Combine(folder.FullName, "out");
            Assert.Equal(10, DumpAnalyze.Run("triage", Fixture.Named("cs-cycle2").Path, "--out", records).ExitCode);
            await using AssistantServer server = await AssistantServer.StartAsync(folder.FullName);
            CallToolResult answer = await server.CallAsync("triage_overview", ("path", "out"));
            Assert.StartsWith("Exit code 10: a Confirmed verdict. ", AssistantServer.Preface(answer), StringComparison.Ordinal);
            Assert.Equal(DumpAnalyze.Run("merge", records).Output, AssistantServer.Document(answer));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
