using System.Globalization;
using Dump.Model.Contract;
using Dump.Triage.Children;

namespace Dump.Cli.Serving;

/// <summary>Runs commands of this program, each in a process of its own within limits, no more than some at the same time.</summary>
/// <param name="limits">Limits of each.</param>
/// <param name="jobs">How many run at the same time.</param>
/// <param name="allowsStrings">True when answers may hold what strings of the dumped process say.</param>
/// <param name="folders">Below which they read: each judges by the same rule what it opens itself.</param>
internal sealed class AnalysisRunner(ChildLimits limits, int jobs, bool allowsStrings, ServedFolders folders) : IDisposable
{
    private readonly SemaphoreSlim _places = new(jobs);

    /// <summary>Runs a command to its end, when it is its turn.</summary>
    /// <param name="commandLine">Its command line.</param>
    /// <param name="cancellation">Ends it with all processes that it has started.</param>
    /// <exception cref="OperationCanceledException">It was ended by that.</exception>
    /// <exception cref="RefusedRequestException">It came to no end within its limits.</exception>
    public async Task<ChildResult> RunAsync(IReadOnlyList<string> commandLine, CancellationToken cancellation)
    {
        await _places.WaitAsync(cancellation).ConfigureAwait(false);
        try
        {
            // A thread of its own: it stays until the process has ended, with which that is tied to this one.
            ChildResult result = await Task.Factory.StartNew(() => Run(commandLine, cancellation), CancellationToken.None, TaskCreationOptions.LongRunning,
                TaskScheduler.Default).ConfigureAwait(false);
            return result.End == ChildEnd.Itself ? result : throw new RefusedRequestException(Reason(result));
        }
        finally
        {
            _places.Release();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _places.Dispose();

    private ChildResult Run(IReadOnlyList<string> commandLine, CancellationToken cancellation)
    {
        // What a process unpacks has no chance to go away with it when it is killed.
        DirectoryInfo work = Directory.CreateTempSubdirectory("dumpanalyze-mcp-");
        try
        {
            Dictionary<string, string> environment = EnvironmentVariables.TemporaryFolders.ToDictionary(v => v, _ => work.FullName);
            environment[EnvironmentVariables.ServedFolders] = folders.Places.Value;
            ChildMark mark = new() { WithholdsStrings = !allowsStrings };
            return ChildProcess.Run(AnalysisProgram.Own, mark.Before(commandLine), environment, limits, cancellation);
        }
        finally
        {
            Remove(work);
        }
    }

    private string Reason(ChildResult result) => result.End switch
    {
        ChildEnd.Time => string.Create(CultureInfo.InvariantCulture,
            $"the analysis was not done after {limits.Time.TotalSeconds:0.###} s and was ended; the server's option --timeout allows more"),
        ChildEnd.Memory => string.Create(CultureInfo.InvariantCulture,
            $"the analysis needs more memory than {limits.Memory >> 20:N0} MiB and was ended; the server's option --memory allows more"),
        _ => string.Create(CultureInfo.InvariantCulture, $"the whole answer is longer than {limits.OutputBytes >> 20:N0} MiB; ask for less of it"),
    };

    private static void Remove(DirectoryInfo folder)
    {
        try
        {
            folder.Delete(recursive: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine($"dumpanalyze: the folder {folder.FullName} could not be removed: {error.Message}");
        }
    }
}
