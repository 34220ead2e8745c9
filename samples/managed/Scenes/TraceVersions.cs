using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Dump.Samples.Managed.Scenes;

/// <summary>
/// Threads that stand in different machine code of the same methods, as after some time of use: a thread in the code of the first calls, one in each code that
/// the runtime has made later, and some in loops whose code was replaced while they ran. They print their traces as <see cref="TraceScenes"/> does, and
/// <c>code METHOD N</c>: two places in its machine code where the method has called, which tell one code from another. A build without optimisation has only
/// one code.
/// </summary>
internal static class TraceVersions
{
    private const int Calls = 50;
    private static readonly bool s_hasOneCode = typeof(TraceVersions).Assembly.GetCustomAttribute<DebuggableAttribute>() is { IsJITOptimizerDisabled: true };
    private static readonly (string Name, Func<Stage, CountdownEvent?, int> Method)[] s_methods =
        [("Plain", Plain), ("Generic", Generic<string>), ("Guarded", Guarded), ("Iterate", Iterate), ("Resume", Resume), ("Computed", Computed)];

    private static readonly (string Name, Action<Stage, CountdownEvent> Method)[] s_loops = [("Loop", Loop), ("NestedLoop", NestedLoop)];

    public static void AddTo(Dictionary<string, Action<Stage>> scenes) => scenes.Add("stack-versions", Versions);

    private static void Versions(Stage stage)
    {
        foreach ((string name, Func<Stage, CountdownEvent?, int> method) in s_methods)
        {
            // First code, then code that counts what it does, then optimised code.
            for (int version = 0, last = s_hasOneCode ? 0 : 2; version <= last; version++)
            {
                StandIn(stage, name, standing => method(stage, standing));
                int code = method(stage, null);
                stage.Until($"other code of {name}", () => version == last || Enumerable.Range(0, Calls).Any(_ => method(stage, null) != code));
            }
        }

        // Up to .NET 8 a loop is not told where in its second code it has called, so that it would never find itself there.
        foreach ((string name, Action<Stage, CountdownEvent> method) in s_hasOneCode || Environment.Version.Major < 9 ? [] : s_loops)
        {
            StandIn(stage, name, standing => method(stage, standing));
        }
    }

    private static void StandIn(Stage stage, string role, Action<CountdownEvent> method)
    {
        using CountdownEvent standing = new(1);
        stage.Start(role, () =>
        {
            method(standing);
            stage.Keep(role);
        });
        standing.Wait();
    }

    /// <summary>Where the caller has called it, in bytes from the beginning of the caller's code.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Here() => new StackFrame(1).GetNativeOffset();

    /// <summary>The same, and the one of a call before it.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Here(int before) => (before << 16) | new StackFrame(1).GetNativeOffset();

    /// <summary>Stands still where the method is to stand.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Stand(Stage stage, int code, CountdownEvent? standing, [CallerMemberName] string method = "")
    {
        if (standing is null)
        {
            return;
        }

        stage.Say($"code {method} {code}");
        TraceScenes.SayTrace(stage);
        standing.Signal();
        Stage.Forever();
        stage.Keep(method);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Plain(Stage stage, CountdownEvent? standing)
    {
        int code = Here();
        string text = $"{code}";
        if (text.Length > 0)
        {
            code = Here(code);
            Stand(stage, code, standing);
        }

        return code;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Generic<T>(Stage stage, CountdownEvent? standing)
        where T : class
    {
        int code = Here();
        if (code > 0)
        {
            code = Here(code);
        }

        Stand(
            stage,
            typeof(T) == typeof(string) ? code : 0,
            standing);
        return code;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Guarded(Stage stage, CountdownEvent? standing)
    {
        int code = 0;
        try
        {
            code = Here();
            code = code > 0 ? Here(code) : 0;
            Stand(stage, code, standing);
        }
        catch (InvalidOperationException)
        {
            code = 0;
        }

        return code;
    }

    private static int Iterate(Stage stage, CountdownEvent? standing)
    {
        int last = 0;
        foreach (int number in Numbers(stage, standing))
        {
            last = number;
        }

        return last;
    }

    private static IEnumerable<int> Numbers(Stage stage, CountdownEvent? standing)
    {
        int first = Here();
        yield return 1;
        int code = Here(first);
        Stand(stage, code, standing);
        yield return code;
    }

    private static int Resume(Stage stage, CountdownEvent? standing) => ResumeAsync(stage, standing).Result;

    private static async Task<int> ResumeAsync(Stage stage, CountdownEvent? standing)
    {
        int first = Here();
        await Task.CompletedTask;
        int code = Here(first);
        Stand(stage, code, standing);
        return code;
    }

    // One method at a time is compiled anew: inside of its caller, the inner one would have its last code without having had the one before it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Computed(Stage stage, CountdownEvent? standing) => new Func<int, int>([MethodImpl(MethodImplOptions.NoInlining)] (sum) =>
    {
        int code = Here();
        if (sum > 0)
        {
            code = Here(code);
            Stand(stage, code, standing);
        }

        return code;
    })(1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Loop(Stage stage, CountdownEvent standing)
    {
        int first = 0, sum = 0;
        for (int i = 0; ; i = (i + 1) & 0xFFFF)
        {
            sum ^= i;

            // The call is made seldom: it takes much longer than a turn.
            if (i % 10_000 != 1)
            {
                continue;
            }

            int code = Here();
            first = first == 0 ? code : first;
            if (code != first || sum < 0)
            {
                Stand(stage, code, standing);
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void NestedLoop(Stage stage, CountdownEvent standing)
    {
        int first = 0, sum = 0;
        while (true)
        {
            int code = Here();
            first = first == 0 ? code : first;
            for (int i = 0; i < 5_000; i++)
            {
                sum ^= i;
            }

            if (code != first || sum < 0)
            {
                Stand(
                    stage, code,
                    standing);
            }
        }
    }
}
