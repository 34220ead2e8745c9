using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Dump.Samples.Managed.Scenes;

/// <summary>
/// Threads that print their own stack traces, as .NET makes them with the PDB, and stand still there: <c>frame THREAD LINE FILE METHOD</c>, innermost first.
/// </summary>
internal static class TraceScenes
{
    private static readonly Action<Stage, int>[] s_steps =
    [
        Plain, Generic<string>, Lambda, Local, Delegate, Filter, Cleanup, Statement, Loop, Iterate, Start, Resume, Property, Construct, Choose,
        .. TraceShapes.Steps, .. TraceStatements.Steps,
    ];

    public static void AddTo(Dictionary<string, Action<Stage>> scenes) => scenes.Add("stack-traces", Traces);

    private static void Traces(Stage stage)
    {
        using CountdownEvent standing = new(12);
        for (int i = 0; i < 12; i++)
        {
            int first = i;
            stage.Start($"trace-{i}", () => Go(stage, (first << 16) | (s_steps.Length << 8), standing));
        }

        standing.Wait();
    }

    private static void Go(Stage stage, int position, CountdownEvent standing)
    {
        s_standing = standing;
        Next(stage, position);
    }

    [ThreadStatic]
    private static CountdownEvent? s_standing;

    // The steps that are left stand in the second byte, the next one in the third.
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Next(Stage stage, int position)
    {
        int left = (position >> 8) & 0xFF;
        if (left == 0)
        {
            Stand(stage);
            return;
        }

        int step = (position >> 16) % s_steps.Length;
        s_steps[step](stage, ((step + 1) << 16) | ((left - 1) << 8));
    }

    /// <summary>Its callers stand where they stood when the trace was made; it itself has gone on.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Stand(Stage stage)
    {
        SayTrace(stage);
        s_standing!.Signal();
        Stage.Forever();

        // A call at the end would replace the caller's frame in optimised code.
        s_standing = null;
    }

    /// <summary>Prints the frames of the caller's callers that have lines.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void SayTrace(Stage stage)
    {
        foreach (StackFrame frame in new StackTrace(2, fNeedFileInfo: true).GetFrames().OfType<StackFrame>())
        {
            if (frame.GetFileLineNumber() > 0)
            {
                stage.Say(string.Format(CultureInfo.InvariantCulture, "frame {0} {1} {2} {3}.{4}", stage.CurrentThread, frame.GetFileLineNumber(),
                    Path.GetFileName(frame.GetFileName()), frame.GetMethod()!.DeclaringType, frame.GetMethod()!.Name));
            }
        }
    }

    private static void Plain(Stage stage, int position)
    {
        Next(stage, position);
    }

    private static void Generic<T>(Stage stage, int position)
        where T : class
    {
        if (typeof(T) != typeof(object))
        {
            Next(stage, position);
        }
    }

    private static void Lambda(Stage stage, int position)
    {
        Action call = () =>
        {
            stage.Keep(position);
            Next(stage, position);
        };
        call();
    }

    private static void Local(Stage stage, int position)
    {
        Inner();

        void Inner()
        {
            Next(
                stage,
                position);
        }
    }

    private static void Delegate(Stage stage, int position) => new List<int> { position }.ForEach(p => Next(stage, p));

    private static void Filter(Stage stage, int position)
    {
        try
        {
            Next(stage, position);
        }
        catch (InvalidOperationException error) when (error.Message.Length == position)
        {
            stage.Keep(error);
        }
    }

    private static void Cleanup(Stage stage, int position)
    {
        try
        {
            stage.Keep(position);
        }
        finally
        {
            Next(stage, position);
        }
    }

    private static void Statement(Stage stage, int position)
    {
        string text = position
            .ToString(CultureInfo.InvariantCulture)
            .PadLeft(Count(
                stage,
                position));
        stage.Keep(text);
    }

    private static int Count(Stage stage, int position)
    {
        Next(stage, position);
        return position;
    }

    private static void Loop(Stage stage, int position)
    {
        for (int i = 0; i < 3; i++)
        {
            if (i == 2)
            {
                Next(stage, position);
            }
        }
    }

    private static void Iterate(Stage stage, int position)
    {
        foreach (int number in Numbers(stage, position))
        {
            stage.Keep(number);
        }
    }

    private static IEnumerable<int> Numbers(Stage stage, int position)
    {
        yield return 1;
        Next(stage, position);
        yield return 2;
    }

    private static void Start(Stage stage, int position) => StartAsync(stage, position).GetAwaiter().GetResult();

    private static async Task StartAsync(Stage stage, int position)
    {
        Next(stage, position);
        await Task.Yield();
    }

    private static void Resume(Stage stage, int position)
    {
        TaskCompletionSource<bool> source = new();
        Task task = ResumeAsync(stage, position, source.Task);
        source.SetResult(true);
        stage.Keep(task);
    }

    private static async Task ResumeAsync(Stage stage, int position, Task before)
    {
        await before;
        Next(stage, position);
    }

    private static void Property(Stage stage, int position) => stage.Keep(new Holder(stage, position).Value);

    private static void Construct(Stage stage, int position)
    {
        stage.Keep(new Maker(stage, position));
    }

    private static void Choose(Stage stage, int position)
    {
        object kind = position % 2 switch
        {
            0 => Count(stage, position),
            _ => Count(stage, position),
        };
        stage.Keep(kind);
    }

    private sealed class Holder(Stage stage, int position)
    {
        public int Value
        {
            get
            {
                Next(stage, position);
                return position;
            }
        }
    }

    private sealed class Maker
    {
        public Maker(Stage stage, int position)
        {
            Next(stage, position);
        }
    }
}
