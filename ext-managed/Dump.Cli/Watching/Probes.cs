using System.ComponentModel;
using System.Globalization;
using Dump.Cli.Options;
using Dump.Cli.Running;
using Dump.Fetching.Notices;
using Dump.Model.Text;

namespace Dump.Cli.Watching;

/// <summary>What a watch asks besides looking at processes.</summary>
internal sealed class Probes : IDisposable
{
    private readonly List<IDisposable> _open = [];

    /// <summary>Asks an address.</summary>
    /// <param name="limit">The address, and how long an answer may take.</param>
    /// <param name="pause">Time between two questions.</param>
    public RepeatedProbe OfAddress(AnswerLimit limit, TimeSpan pause)
    {
        AnswerCheck check = new(new Uri(limit.Target), limit.Within);
        string failure = string.Create(CultureInfo.InvariantCulture,
            $"{SafeText.Clean(limit.Target, 200)} did not answer within {limit.Within.TotalSeconds:0.###} s");
        bool hasWarned = false;
        RepeatedProbe probe = new(Ask, limit.Within, pause);
        _open.AddRange([probe, check]);
        return probe;

        string? Ask(CancellationToken end)
        {
            (bool answers, string? trouble) = check.AnswersAsync(end).GetAwaiter().GetResult();
            if (trouble is not null && !hasWarned)
            {
                Console.Error.WriteLine($"dumpanalyze: --no-answer: the address cannot be asked ({trouble}), which says nothing of any process");
            }

            hasWarned |= trouble is not null;
            return answers ? null : failure;
        }
    }

    /// <summary>Starts a program.</summary>
    /// <param name="limit">The program, and how long it may take.</param>
    /// <param name="pause">Time between its end and the next start.</param>
    public RepeatedProbe OfProgram(AnswerLimit limit, TimeSpan pause)
    {
        string path = Path.GetFullPath(limit.Target), name = SafeText.Clean(Path.GetFileName(path), 100);
        bool hasWarned = false;
        RepeatedProbe probe = new(end => Run(path, limit.Within, NotStarted, end) is { } problem ? $"{name} {problem}" : null, limit.Within, pause);
        _open.Add(probe);
        return probe;

        void NotStarted(Exception error)
        {
            if (!hasWarned)
            {
                Console.Error.WriteLine(
                    $"dumpanalyze: --check: {name} cannot be started ({SafeText.Clean(error.Message, 200)}), which says nothing of any process");
            }

            hasWarned = true;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _open.ForEach(o => o.Dispose());

    private static string? Run(string path, TimeSpan within, Action<Exception> notStarted, CancellationToken end)
    {
        try
        {
            int? code = UserProgram.Run(path, [], isQuiet: true, within, end);
            end.ThrowIfCancellationRequested();
            return code switch
            {
                null => string.Create(CultureInfo.InvariantCulture, $"was not done after {within.TotalSeconds:0.###} s"),
                0 => null,
                _ => string.Create(CultureInfo.InvariantCulture, $"ended with {code}"),
            };
        }
        catch (Exception error) when (error is Win32Exception or InvalidOperationException)
        {
            notStarted(error);
            return null;
        }
    }
}
