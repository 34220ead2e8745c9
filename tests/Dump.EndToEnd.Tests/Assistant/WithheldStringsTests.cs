using System.Text;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Assistant;

/// <summary>What strings of the dumped process say is sent only when the server was started for that.</summary>
public sealed class WithheldStringsTests : IDisposable
{
    private const string Secret = "procdump -ma app.exe --password=hunter2";
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dump-assistant-");

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_comment_of_a_dump_is_sent_only_on_request(bool isAllowed)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeProcess process = new() { Images = { app }, Threads = { new FakeThread(0x1a4, [app.Function("work")]) } };
        process.Streams.Add(new FakeStream(10, w =>
        {
            int at = w.Length;
            foreach (byte letter in Encoding.ASCII.GetBytes(Secret + "\0"))
            {
                w.Bytes([letter]);
            }

            return (at, w.Length - at);
        }));
        string path = Path.Combine(_folder.FullName, "secret.dmp");
        File.WriteAllBytes(path, process.ToMinidump());
        await using AssistantServer server = await AssistantServer.StartAsync(_folder.FullName, isAllowed ? ["--allow-strings"] : []);
        Assert.Contains(isAllowed ? $"comment: {Secret}\n" : "comment: (withheld)\n", AssistantServer.Document(
            await server.CallAsync("verdict", ("path", "secret.dmp"))), StringComparison.Ordinal);
        string? comment = AssistantServer.Json(await server.CallAsync("verdict", ("path", "secret.dmp"), ("format", "json")))
            .GetProperty("source").GetProperty("comment").GetString();
        Assert.Equal(isAllowed ? Secret : "(withheld)", comment);
        Assert.Equal(Secret, DumpAnalyze.Json(path).Report.GetProperty("source").GetProperty("comment").GetString());
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
