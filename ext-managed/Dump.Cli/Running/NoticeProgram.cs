using System.ComponentModel;
using System.Diagnostics;
using Dump.Model.Text;

namespace Dump.Cli.Running;

/// <summary>Starts a program of the user's for each notice, without a shell: the notice is a JSON document on its standard input.</summary>
internal static class NoticeProgram
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

    /// <summary>Runs it to its end.</summary>
    /// <param name="program">The program.</param>
    /// <param name="json">The notice.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <returns>Null when it ended with 0, else what became of it, as a clause (sanitised); and whether it came to an end of its own.</returns>
    public static (string? Problem, bool IsReached) Run(string program, byte[] json, CancellationToken cancellation) =>
        Run(program, json, null, cancellation);

    /// <summary>The same, where something else ends it.</summary>
    internal static (string? Problem, bool IsReached) Run(string program, byte[] json, Action<Process>? kill, CancellationToken cancellation)
    {
        try
        {
            return UserProgram.Run(program, json, isQuiet: false, s_limit, cancellation, kill) switch
            {
                null => ($"it was not done after {s_limit.TotalSeconds:0} s", false),
                0 => (null, true),
                { } code => ($"it ended with {code}", true),
            };
        }
        catch (Exception error) when (error is Win32Exception or InvalidOperationException)
        {
            return ($"it cannot be started ({SafeText.Clean(error.Message, 200)})", false);
        }
    }
}
