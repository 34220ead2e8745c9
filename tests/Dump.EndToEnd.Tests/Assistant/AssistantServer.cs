using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;

namespace Dump.EndToEnd.Tests.Assistant;

/// <summary>The command <c>mcp</c> as an assistant runs it: a process of its own, asked by the protocol's own client.</summary>
internal sealed class AssistantServer : IAsyncDisposable
{
    // Only so that a server that never answers fails a test instead of holding it up.
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(5);

    private AssistantServer(McpClient client) => Client = client;

    /// <summary>The client.</summary>
    public McpClient Client { get; }

    /// <summary>Starts a server and shakes hands with it.</summary>
    public static Task<AssistantServer> StartAsync(string root, params string[] options) => StartAsync(DumpAnalyze.Command, root, [], options);

    /// <summary>Starts the build for the installed .NET, with a startup hook of that in its environment.</summary>
    public static Task<AssistantServer> StartBuildAsync(string root, (string Name, string Value) hook, params string[] options) =>
        StartAsync(["dotnet", DumpAnalyze.Build], root, [hook], options);

    private static async Task<AssistantServer> StartAsync(string[] command, string root, (string Name, string Value)[] environment, string[] options)
    {
        Dictionary<string, string?> variables = new() { ["_NT_SYMBOL_PATH"] = null };
        foreach ((string name, string value) in environment)
        {
            variables[name] = value;
        }

        StdioClientTransport transport = new(new StdioClientTransportOptions
        {
            Command = command[0],
            Arguments = [.. command[1..], "mcp", "--root", root, .. options],
            EnvironmentVariables = variables,
            ShutdownTimeout = s_patience,
        });
        return new AssistantServer(await McpClient.CreateAsync(
            transport, new McpClientOptions { InitializationTimeout = s_patience, DiscoverProbeTimeout = s_patience }));
    }

    /// <summary>Calls a tool.</summary>
    public async Task<CallToolResult> CallAsync(string tool, params (string Name, object Value)[] arguments) =>
        await Client.CallToolAsync(tool, arguments.ToDictionary(a => a.Name, a => (object?)a.Value)).AsTask().WaitAsync(s_patience);

    /// <summary>The document of an answer: what stands between its marks.</summary>
    public static string Document(CallToolResult answer)
    {
        string[] blocks = Blocks(answer);
        Assert.NotEqual(true, answer.IsError);
        Assert.Equal(3, blocks.Length);
        string mark = blocks[^1].Split(' ')[2];
        Assert.Equal((16, $"--- data {mark} ends ---"), (mark.Length, blocks[^1]));
        Assert.EndsWith($"\n--- data {mark} begins ---", blocks[0], StringComparison.Ordinal);
        return blocks[1];
    }

    /// <summary>What the program says before the document.</summary>
    public static string Preface(CallToolResult answer) => Blocks(answer)[0];

    /// <summary>The message of a refusal.</summary>
    public static string Refusal(CallToolResult answer)
    {
        Assert.True(answer.IsError);
        return Assert.Single(Blocks(answer));
    }

    /// <summary>The document of an answer as JSON.</summary>
    public static JsonElement Json(CallToolResult answer) => JsonDocument.Parse(Document(answer)).RootElement;

    public ValueTask DisposeAsync() => Client.DisposeAsync();

    private static string[] Blocks(CallToolResult answer) => [.. answer.Content.Select(c => Assert.IsType<TextContentBlock>(c).Text)];
}
