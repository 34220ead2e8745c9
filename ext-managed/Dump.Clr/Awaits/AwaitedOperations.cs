using Dump.Clr.Frames;
using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>
/// What objects that are awaited stand for, by the names of their types (dotnet/runtime, src/libraries: System.Private.CoreLib Threading/Tasks/Task.cs,
/// TaskFactory.cs, SemaphoreSlim.cs, PeriodicTimer.cs; System.Threading.Channels AsyncOperation.cs; System.Net.Sockets Socket.Tasks.cs; System.Net.Http Http2Stream.cs;
/// System.IO.Pipelines Pipe.DefaultPipeReader.cs). A name that is not here is shown as it is.
/// </summary>
internal static class AwaitedOperations
{
    /// <summary>Words for a delay.</summary>
    public const string Delay = "Task.Delay";

    /// <summary>Words for the next tick of a timer.</summary>
    public const string Tick = "PeriodicTimer.WaitForNextTickAsync";

    /// <summary>Words for a wait for a semaphore.</summary>
    public const string SemaphoreWait = "SemaphoreSlim.WaitAsync";

    /// <summary>Words for a wait with a limit or a token.</summary>
    public const string WaitAsync = "Task.WaitAsync";

    /// <summary>Words for input or output through a pipe.</summary>
    public const string Pipe = "a pipe";

    private const string Tasks = "System.Threading.Tasks.";

    private const string Socket = "a socket";
    private const string PipeRead = "PipeReader.ReadAsync";
    private const string ChannelRead = "ChannelReader.ReadAsync";
    private const string ChannelReadWait = "ChannelReader.WaitToReadAsync";

    private static readonly (string Prefix, string Words)[] s_operations =
    [
        (Tasks + "Task+DelayPromise", Delay),
        (Tasks + "Task+WhenAllPromise", "Task.WhenAll"),
        (Tasks + "TaskFactory+CompleteOnInvokePromise", "Task.WhenAny"),
        (Tasks + "TaskFactory+CompleteOnCountdownPromise", "TaskFactory.ContinueWhenAll"),
        (Tasks + "Task+TwoTaskWhenAnyPromise", "Task.WhenAny"),
        (Tasks + "Task+CancellationPromise", WaitAsync),
        (Tasks + "UnwrapPromise", "Task.Run"),
        (Tasks + "TaskFactory+FromAsyncTrimPromise", "TaskFactory.FromAsync"),
        (Tasks + "ContinuationTaskFrom", "Task.ContinueWith"),
        (Tasks + "ContinuationResultTaskFrom", "Task.ContinueWith"),
        ("System.Threading.SemaphoreSlim+TaskNode", SemaphoreWait),
        ("System.Threading.PeriodicTimer+State", Tick),
        ("System.Threading.Channels.BlockedReadAsyncOperation", ChannelRead),
        ("System.Threading.Channels.WaitingReadAsyncOperation", ChannelReadWait),
        ("System.Threading.Channels.BlockedWriteAsyncOperation", "ChannelWriter.WriteAsync"),
        ("System.Threading.Channels.WaitingWriteAsyncOperation", "ChannelWriter.WaitToWriteAsync"),
        ("System.Threading.Channels.VoidAsyncOperationWithData", "ChannelWriter.WriteAsync"),
        ("System.Threading.Channels.AsyncOperation", "a channel"),
        ("System.Net.Sockets.Socket+AwaitableSocketAsyncEventArgs", Socket),
        ("System.Net.Sockets.Socket+TaskSocketAsyncEventArgs", Socket),
        ("Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets.Internal.Socket", Socket),
        ("System.Net.Http.Http2Connection+Http2Stream", "a stream of HTTP/2"),
        ("System.IO.Pipelines.Pipe+DefaultPipeReader", PipeRead),
        ("System.IO.Pipelines.Pipe+DefaultPipeWriter", "PipeWriter.FlushAsync"),
    ];

    /// <summary>
    /// True for tasks that complete once all that they await has, and not before: of <c>Task.WhenAll</c>, and of <c>Task.Run</c> with an async delegate. Those
    /// of <c>WhenAny</c>, <c>WaitAsync</c> and <c>ContinueWith</c> can complete without.
    /// </summary>
    /// <param name="type">Full name of the type.</param>
    public static bool AwaitsAll(string? type) =>
        type?.StartsWith(Tasks + "Task+WhenAllPromise", StringComparison.Ordinal) == true
        || type?.StartsWith(Tasks + "UnwrapPromise", StringComparison.Ordinal) == true;

    /// <summary>True where a method of a pipe's stream awaits a socket: on Linux the runtime reads and writes pipes by that (PipeStream.Unix.cs).</summary>
    /// <param name="method">The method that awaits.</param>
    /// <param name="operation">What it awaits, in words.</param>
    public static bool IsOfPipe(string method, string operation) => operation == Socket && method.StartsWith("System.IO.Pipes.", StringComparison.Ordinal);

    /// <summary>What must happen for a chain of awaits to go on that ends at an object without code.</summary>
    /// <param name="operation">The operation in words, as <see cref="Of(string)"/> gives them.</param>
    public static AwaitEndKind KindOf(string operation) => operation switch
    {
        Delay or Tick => AwaitEndKind.Time,
        Socket => AwaitEndKind.InputOutput,
        ChannelRead or ChannelReadWait or PipeRead => AwaitEndKind.NewWork,
        _ => AwaitEndKind.OtherCode,
    };

    /// <summary>What awaiting an object of a type means, for people.</summary>
    /// <param name="type">Full name of the type.</param>
    public static string Of(string type)
    {
        const string Generic = Tasks + "Task<";
        return type == Tasks + "Task" || type == Generic + Tasks + "VoidTaskResult>" ? "TaskCompletionSource"
            : type.StartsWith(Generic, StringComparison.Ordinal) && !type.Contains(">+", StringComparison.Ordinal)
                ? TypeNames.Short($"TaskCompletionSource<{type[Generic.Length..]}")
            : s_operations.FirstOrDefault(o => type.StartsWith(o.Prefix, StringComparison.Ordinal)).Words ?? TypeNames.Short(type);
    }
}
