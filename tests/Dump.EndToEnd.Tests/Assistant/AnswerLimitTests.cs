using System.Text;
using System.Text.Json;
using Dump.Cli.Serving;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Synthetic;
using ModelContextProtocol.Protocol;

namespace Dump.EndToEnd.Tests.Assistant;

/// <summary>Answers have a limit, are cut between elements, and say how to get the rest.</summary>
public sealed class AnswerLimitTests : IDisposable
{
    private const int Threads = 700;
    private const int Limit = 40_000;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dump-assistant-");

    [Fact]
    public async Task All_threads_of_a_large_process_come_one_part_after_the_other()
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeFunction work = app.Function("work");
        FakeProcess process = new() { Images = { app } };
        process.Threads.AddRange(Enumerable.Range(0, Threads).Select(i => new FakeThread(0x100 + (4 * (uint)i), [work])));
        string path = Path.Combine(_folder.FullName, "large.dmp");
        File.WriteAllBytes(path, process.ToMinidump());
        await using AssistantServer server = await AssistantServer.StartAsync(_folder.FullName);
        CallToolResult whole = await server.CallAsync("threads", ("path", "large.dmp"), ("format", "json"));
        Assert.InRange(AssistantServer.Document(whole).Length, Limit / 2, Limit);
        List<uint> ids = Ids(whole);
        Assert.Contains(
            $"Left out to keep the answer short: threads has {Threads - ids.Count} elements more (ask again with list threads and from {ids.Count})",
            AssistantServer.Preface(whole), StringComparison.Ordinal);
        while (ids.Count < Threads)
        {
            CallToolResult part = await server.CallAsync("threads", ("path", "large.dmp"), ("format", "json"), ("list", "threads"), ("from", ids.Count));
            Assert.InRange(AssistantServer.Document(part).Length, 1, Limit);
            ids.AddRange(Ids(part));
        }

        Assert.Equal(process.Threads.Select(t => t.Id), ids);
        Assert.Contains("from 700 is behind the end: threads has 700 elements", AssistantServer.Refusal(
            await server.CallAsync("threads", ("path", "large.dmp"), ("format", "json"), ("list", "threads"), ("from", Threads))), StringComparison.Ordinal);
        Assert.Contains("the document has no list 'stacks'; it has: threads", AssistantServer.Refusal(
            await server.CallAsync("threads", ("path", "large.dmp"), ("format", "json"), ("list", "stacks"))), StringComparison.Ordinal);
    }

    [Fact]
    public void A_text_is_cut_between_paragraphs()
    {
        string text = string.Concat(Enumerable.Range(1, 50).Select(i => $"Thread {i}\n  first frame\n  second frame\n\n"));
        (string part, string? leftOut) = TextPage.Take(text, 1, 400);
        Assert.Equal(string.Concat(text.Split('\n').Take(40).Select(l => l + "\n")), part);
        Assert.Equal("These are lines 1 to 40 of 199; 159 lines follow. To read on, ask again with from_line 41.", leftOut);
        StringBuilder all = new(part);
        for (int next = 41; leftOut?.Contains("follow", StringComparison.Ordinal) == true; next = part.Split('\n').Length - 1 + next)
        {
            (part, leftOut) = TextPage.Take(text, next, 400);
            Assert.StartsWith("Thread ", part, StringComparison.Ordinal);
            Assert.InRange(part.Length, 1, 400);
            all.Append(part);
        }

        Assert.Equal(text.TrimEnd('\n'), all.ToString().TrimEnd('\n'));
    }

    [Fact]
    public void A_text_that_fits_is_whole() => Assert.Equal(("a\n  b\n", null), TextPage.Take("a\n  b\n", 1, 400));

    [Fact]
    public void A_paragraph_that_is_too_long_is_cut_between_lines_and_a_line_within()
    {
        string paragraph = "Thread\n" + string.Concat(Enumerable.Repeat("  a frame\n", 100));
        (string part, string? leftOut) = TextPage.Take(paragraph, 1, 400);
        Assert.Equal("Thread\n" + string.Concat(Enumerable.Repeat("  a frame\n", 39)), part);
        Assert.Contains("from_line 41", leftOut, StringComparison.Ordinal);
        (string line, leftOut) = TextPage.Take(new string('x', 1000) + "\nend\n", 1, 400);
        Assert.Equal(400, line.Length);
        Assert.EndsWith("x ... [line cut]\n", line, StringComparison.Ordinal);
        Assert.Contains("from_line 2", leftOut, StringComparison.Ordinal);
    }

    [Fact]
    public void A_document_loses_the_longest_lists_and_stays_JSON()
    {
        string small = "{\"schema\":\"s\",\"verdicts\":[1,2],\"threads\":[]}";
        Assert.Equal((small, null), JsonPage.Take(Encoding.UTF8.GetBytes(small), null, 0, 1000));
        string threads = string.Join(',', Enumerable.Range(0, 500).Select(i => $"{{\"id\":{i + 1000}}}"));
        (string text, string? leftOut) = JsonPage.Take(Encoding.UTF8.GetBytes($"{{\"verdicts\":[1,2],\"threads\":[{threads}]}}"), null, 0, 1000);
        JsonElement document = JsonDocument.Parse(text).RootElement;
        int kept = document.Member("threads").GetArrayLength();
        Assert.Equal(2, document.Member("verdicts").GetArrayLength());
        Assert.InRange(text.Length, 900, 1000);
        Assert.Equal($"Left out to keep the answer short: threads has {500 - kept} elements more (ask again with list threads and from {kept}).", leftOut);
    }

    [Fact]
    public void One_element_that_is_too_long_is_cut_inside()
    {
        string frames = string.Join(',', Enumerable.Repeat("\"a frame\"", 1000));
        string json = $"{{\"threads\":[{{\"id\":1,\"name\":\"{new string('x', 5000)}\",\"frames\":[{frames}]}},{{\"id\":2}}]}}";
        (string text, string? leftOut) = JsonPage.Take(Encoding.UTF8.GetBytes(json), null, 0, 2000);
        Assert.InRange(text.Length, 300, 2000);
        Assert.Equal(1, JsonDocument.Parse(text).RootElement.Member("threads")[0].Member("id").GetInt32());
        Assert.Contains("threads has 1 elements more (ask again with list threads and from 1)", leftOut, StringComparison.Ordinal);
        Assert.Contains("threads[0].frames has ", leftOut, StringComparison.Ordinal);
        Assert.Contains("threads[0].name is cut", leftOut, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static List<uint> Ids(CallToolResult answer) =>
        [.. AssistantServer.Json(answer).Member("threads").EnumerateArray().Select(t => t.Member("id").GetUInt32())];
}
