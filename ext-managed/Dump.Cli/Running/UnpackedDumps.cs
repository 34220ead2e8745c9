using System.CommandLine;
using System.CommandLine.Parsing;
using System.Runtime.InteropServices;
using Dump.Cli.Context;
using Dump.Model.Text;
using Dump.Triage.Discovery;

namespace Dump.Cli.Running;

/// <summary>
/// Dumps that were given as archives, unpacked for the time of a run. They go away at its end, and when a signal ends it; only SIGKILL leaves them.
/// </summary>
internal sealed class UnpackedDumps : IDisposable
{
    private readonly List<UnpackedDump> _dumps = [];
    private readonly PosixSignalRegistration[] _signals;

    private UnpackedDumps() =>
        _signals = [.. new[] { PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP }.Select(s => PosixSignalRegistration.Create(s, _ => Remove()))];

    /// <summary>Unpacks the archives among the dumps of a command line.</summary>
    /// <param name="parsed">The command line, of which nothing is wrong.</param>
    /// <param name="arguments">The same as it was given; afterwards with the unpacked files in place of the archives.</param>
    /// <returns>What to remove at the end; null when there are no archives.</returns>
    /// <exception cref="SeveralDumpsException">There are several dumps in one.</exception>
    /// <exception cref="Readers.InvalidDumpException">An archive cannot be unpacked.</exception>
    public static UnpackedDumps? Open(ParseResult parsed, ref string[] arguments)
    {
        var context = RunContext.Of(parsed);

        // A child of this program gets what its parent has unpacked.
        if (context.Mark.IsGuarded || parsed.CommandResult.Command.Hidden)
        {
            return null;
        }

        string[] paths = [.. parsed.CommandResult.Children.OfType<ArgumentResult>().Where(a => a.Argument.Name is "FILE" or "SECOND")
            .SelectMany(a => a.Tokens.Select(t => t.Value)).Where(p => !context.IsProcess(p)).Distinct()];
        UnpackedDumps all = new();
        try
        {
            foreach (string path in paths)
            {
                all.Unpack(path, ref arguments);
            }
        }
        catch
        {
            all.Dispose();
            throw;
        }

        if (all._dumps.Count > 0)
        {
            return all;
        }

        all.Dispose();
        return null;
    }

    private void Unpack(string path, ref string[] arguments)
    {
        if (UnpackedDump.Unpack(path, Add) is not { } dump)
        {
            return;
        }

        // The command line was checked: no option has the archive as its value.
        arguments = [.. arguments.Select(a => a == path ? dump.FilePath : a)];
        if (dump.Warning is { } warning)
        {
            Console.Error.WriteLine($"dumpanalyze: {SafeText.Clean(path)}: {warning}");
        }
    }

    /// <summary>Removes them.</summary>
    public void Dispose()
    {
        Remove();
        foreach (PosixSignalRegistration signal in _signals)
        {
            signal.Dispose();
        }
    }

    private void Add(UnpackedDump dump)
    {
        lock (_dumps)
        {
            _dumps.Add(dump);
        }
    }

    private void Remove()
    {
        lock (_dumps)
        {
            _dumps.ForEach(d => d.Dispose());
        }
    }
}
