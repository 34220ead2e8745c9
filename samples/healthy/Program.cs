namespace Dump.Samples.Healthy;

/// <summary>Programs that are well: <c>healthy-programs NAME</c>. Prints <c>ready</c> once it works, and goes on until it is ended.</summary>
internal static class Program
{
    private static async Task<int> Main(string[] arguments)
    {
        switch (arguments)
        {
            case ["web", var port]:
                await WebServer.RunAsync(port).ConfigureAwait(false);
                return 0;
            case ["clients", var port]:
                await WebClients.RunAsync(port).ConfigureAwait(false);
                return 0;
            case ["allocations"]:
                Allocations.Run();
                return 0;
            case ["database", var file]:
                await Database.RunAsync(file).ConfigureAwait(false);
                return 0;
            case ["messages"]:
                await Messages.RunAsync().ConfigureAwait(false);
                return 0;
            case ["threads"]:
                IdleThreads.Run();
                return 0;
            default:
                Console.Error.WriteLine("usage: healthy-programs web PORT | clients PORT | allocations | database FILE | messages | threads");
                return 2;
        }
    }
}
