namespace Dump.Samples.Healthy;

/// <summary>48 clients that ask the server for one page after the other.</summary>
internal static class WebClients
{
    private const int Clients = 48;
    private static readonly string[] s_pages = ["/", "/wait", "/lock", "/blocking"];

    public static async Task RunAsync(string port)
    {
        using HttpClient client = new() { BaseAddress = new Uri($"http://127.0.0.1:{port}"), Timeout = TimeSpan.FromMinutes(5) };
        await client.GetStringAsync("/").ConfigureAwait(false);
        Console.WriteLine("ready");
        await Task.WhenAll(Enumerable.Range(0, Clients).Select(i => AskAsync(client, i))).ConfigureAwait(false);
    }

    private static async Task AskAsync(HttpClient client, int first)
    {
        for (int i = first; ; i++)
        {
            await client.GetStringAsync(s_pages[i % s_pages.Length]).ConfigureAwait(false);
        }
    }
}
