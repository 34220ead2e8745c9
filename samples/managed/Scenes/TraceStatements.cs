using System.Runtime.CompilerServices;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Statements in which a thread of <see cref="TraceScenes"/> stands: their calls lie on lines of their own, or share them.</summary>
internal static class TraceStatements
{
    /// <summary>One step for each statement.</summary>
    public static Action<Stage, int>[] Steps =>
    [
        DisposeInLoop, Locked, EnumerateInFinally, Recursive, SwitchOnText, Initializer, Interpolated, LongLine, Comparison, Sorted, Lazily, AfterCatch,
        NestedTry, Tuples,
    ];

    private static void DisposeInLoop(Stage stage, int position)
    {
        for (int i = 0; ; i++)
        {
            stage.Keep(i);
            if (i < 1)
            {
                continue;
            }

            TraceScenes.Next(stage, position);
            break;
        }
    }

    private static void Locked(Stage stage, int position)
    {
        lock (new object())
        {
            stage.Keep(position);
            TraceScenes.Next(stage, position);
        }
    }

    private static void EnumerateInFinally(Stage stage, int position)
    {
        foreach (string text in Texts(stage, position).Where(t => t.Length > 0).Select(t => t + "!"))
        {
            stage.Keep(text);
        }
    }

    private static IEnumerable<string> Texts(Stage stage, int position)
    {
        try
        {
            yield return "";
            TraceScenes.Next(stage, position);
            yield return "two";
        }
        finally
        {
            stage.Keep(position);
        }
    }

    private static void Recursive(Stage stage, int position) => Descend(stage, position, 3);

    private static int Descend(Stage stage, int position, int depth)
    {
        if (depth == 0)
        {
            TraceScenes.Next(stage, position);
            return 1;
        }

        return depth % 2 == 0
            ? Descend(stage, position, depth - 1) + 1
            : Descend(stage, position, depth - 1) - 1;
    }

    private static void SwitchOnText(Stage stage, int position)
    {
        switch ($"{position % 3}")
        {
            case "0":
                TraceScenes.Next(stage, position);
                break;
            case "1":
                stage.Keep(position);
                TraceScenes.Next(stage, position);
                break;
            default:
                TraceScenes.Next(stage, position);
                stage.Keep(position);
                break;
        }
    }

    private static void Initializer(Stage stage, int position)
    {
        stage.Keep(new Dictionary<int, object>
        {
            [1] = position,
            [2] = Counted(stage, position),
            [3] = position,
        });
    }

    private static void Interpolated(Stage stage, int position)
    {
        stage.Keep($"number {position}, " +
            $"counted {Counted(stage, position)}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Counted(Stage stage, int position)
    {
        TraceScenes.Next(stage, position);
        return position;
    }

    private static void LongLine(Stage stage, int position)
    {
        stage.Keep(position); TraceScenes.Next(stage, position); stage.Keep(position);
    }

    private static void Comparison(Stage stage, int position)
    {
        bool isEven = position % 2 == 0;
        if (!isEven || Counted(stage, position) > 0)
        {
            stage.Keep(isEven);
        }
    }

    private static void Sorted(Stage stage, int position)
    {
        bool isFirst = true;
        List<int> numbers = [2, 1];
        numbers.Sort((left, right) =>
        {
            if (isFirst)
            {
                isFirst = false;
                TraceScenes.Next(stage, position);
            }

            return left - right;
        });
        stage.Keep(numbers);
    }

    private static void Lazily(Stage stage, int position)
    {
        Lazy<object> lazy = new(() =>
        {
            TraceScenes.Next(stage, position);
            return position;
        });
        stage.Keep(lazy.Value);
    }

    private static void AfterCatch(Stage stage, int position)
    {
        try
        {
            throw new InvalidOperationException();
        }
        catch (InvalidOperationException error)
        {
            stage.Keep(error);
        }

        TraceScenes.Next(stage, position);
        stage.Keep(position);
    }

    private static void NestedTry(Stage stage, int position)
    {
        try
        {
            try
            {
                stage.Keep(position);
                TraceScenes.Next(stage, position);
            }
            finally
            {
                stage.Keep(position);
            }
        }
        catch (ArgumentException error)
        {
            stage.Keep(error);
        }
    }

    private static void Tuples(Stage stage, int position)
    {
        (int first, int second) = (
            position,
            Counted(stage, position));
        stage.Keep(first + second);
    }
}
