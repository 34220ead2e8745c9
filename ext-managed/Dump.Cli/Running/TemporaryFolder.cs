using System.Runtime.InteropServices;
using Dump.Model.Text;

namespace Dump.Cli.Running;

/// <summary>A folder for the time of a run. It goes at its end, and when a signal ends it; only SIGKILL leaves it.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    private readonly PosixSignalRegistration[] _signals;

    private TemporaryFolder(string path)
    {
        Path = path;
        _signals = [.. new[] { PosixSignal.SIGHUP, PosixSignal.SIGQUIT }.Select(s => PosixSignalRegistration.Create(s, _ => Remove()))];
    }

    /// <summary>Where it lies.</summary>
    public string Path { get; }

    /// <summary>Makes one that only this user may look into.</summary>
    /// <param name="prefix">What its name begins with.</param>
    /// <exception cref="NoTemporaryFolderException">None can be made.</exception>
    public static TemporaryFolder Create(string prefix)
    {
        try
        {
            return new TemporaryFolder(Directory.CreateTempSubdirectory(prefix).FullName);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new NoTemporaryFolderException(
                $"no folder for the time of this run can be made in {SafeText.Clean(System.IO.Path.GetTempPath())}; name another place (TMPDIR, on Windows TMP)", error);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Remove();
        Array.ForEach(_signals, s => s.Dispose());
    }

    private void Remove()
    {
        try
        {
            Directory.Delete(Path, recursive: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // Removed already, or still written to: the run ends it.
        }
    }
}

/// <summary>There is no place for temporary files.</summary>
/// <param name="message">A sentence without a full stop that says what to do.</param>
/// <param name="inner">What the system said.</param>
internal sealed class NoTemporaryFolderException(string message, Exception inner) : Exception(message, inner);
