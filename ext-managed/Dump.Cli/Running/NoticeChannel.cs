using System.ComponentModel;
using System.Diagnostics;
using Dump.Fetching.Notices;
using Dump.Model.Text;
using Dump.Triage.Watching;

namespace Dump.Cli.Running;

/// <summary>Where notices go: to a server or to a program of the user's.</summary>
internal sealed class NoticeChannel : IDisposable
{
    private readonly Webhook? _webhook;
    private readonly string? _program;

    private NoticeChannel(Webhook? webhook, string? program) => (_webhook, _program) = (webhook, program);

    /// <summary>Opens the one that the command line names; null when it names none.</summary>
    /// <param name="address">Address of a server, or null.</param>
    /// <param name="program">Path of a program, or null.</param>
    public static NoticeChannel? Open(Uri? address, string? program) =>
        address is null && program is null ? null
            : new NoticeChannel(address is null ? null : new Webhook(address), program is null ? null : Path.GetFullPath(program));

    /// <summary>Sends a notice; says on standard error what went wrong.</summary>
    /// <param name="json">The notice.</param>
    /// <param name="end">Ends the sending.</param>
    public NoticeOutcome Send(byte[] json, CancellationToken end)
    {
        (string? problem, bool isReached) =
            _webhook is not null ? _webhook.PostAsync(json, end).GetAwaiter().GetResult() : NoticeProgram.Run(_program!, json, end);
        if (problem is not null)
        {
            Console.Error.WriteLine($"dumpanalyze: {(_webhook is not null ? "--notify-url" : "--notify-command")}: {SafeText.Clean(problem)}; it is tried again");
        }

        return problem is null ? NoticeOutcome.Taken : isReached ? NoticeOutcome.Refused : NoticeOutcome.Unreachable;
    }

    /// <inheritdoc/>
    public void Dispose() => _webhook?.Dispose();
}

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
