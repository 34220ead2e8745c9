using System.Globalization;
using System.Runtime.CompilerServices;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Async methods that are pending, each at an await whose line it prints before: <c>await LINE METHOD</c>.</summary>
internal static class AwaitLineScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes) => scenes.Add("async-lines", Awaits);

    private static void Awaits(Stage stage)
    {
        TaskCompletionSource<int> never = new();
        stage.Keep(never);
        stage.Keep(OuterAsync(stage, never.Task));
        stage.Keep(new Func<Task>(async () =>
        {
            await Task.Yield();
            await Pending(stage, never.Task, "lambda");
        })());
        stage.Keep(ReadAllAsync(stage, never.Task));
    }

    private static async Task OuterAsync(Stage stage, Task never)
    {
        await Task.CompletedTask;
        for (int i = 0; i < 2; i++)
        {
            await Task.Delay(1);
        }

        try
        {
            await Pending(
                stage,
                InnerAsync(stage, never));
        }
        finally
        {
            await Task.Delay(1);
        }
    }

    private static async Task InnerAsync(Stage stage, Task never)
    {
        await Task.Yield();
        try
        {
            await Task.FromException(new InvalidOperationException());
        }
        catch (InvalidOperationException)
        {
            await Pending(stage, never);
        }
    }

    private static async Task ReadAllAsync(Stage stage, Task never)
    {
        await Task.Yield();
        await foreach (int number in NumbersAsync(stage, never))
        {
            stage.Keep(number);
        }
    }

    private static async IAsyncEnumerable<int> NumbersAsync(Stage stage, Task never)
    {
        await Task.Yield();
        yield return 1;
        await Pending(stage, never);
        yield return 2;
    }

    private static Task Pending(Stage stage, Task task, [CallerMemberName] string method = "", [CallerLineNumber] int line = 0)
    {
        stage.Say(string.Format(CultureInfo.InvariantCulture, "await {0} {1}", line, method));
        return task;
    }
}
