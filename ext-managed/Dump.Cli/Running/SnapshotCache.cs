using Dump.Model.Process;

namespace Dump.Cli.Running;

/// <summary>
/// Snapshots of one dump that were read before, so that another question about it does not read it again. A snapshot never changes, and no answer changes it:
/// what is answered from it is what would be answered after reading it anew. For one question at a time.
/// </summary>
internal sealed class SnapshotCache
{
    private const int MostSnapshots = 8;
    private readonly Dictionary<(string Conditions, ManagedQuestions? Questions), ProcessSnapshot> _snapshots = [];
    private readonly Dictionary<string, ProcessSnapshot> _natives = [];
    private string? _dump;

    /// <summary>The one of this process; null, as in every process that answers one question, when nothing is kept.</summary>
    public static SnapshotCache? Current { get; set; }

    /// <summary>The snapshot that was read under the same conditions; else reads it and keeps it. Those of another dump, or of another state of its file,
    /// go.</summary>
    /// <param name="path">The dump.</param>
    /// <param name="conditions">Everything else that reading it depends on.</param>
    /// <param name="questions">What to look for in the managed half besides; null for nothing.</param>
    /// <param name="read">Reads it with these questions, or with more.</param>
    public ProcessSnapshot Get(string path, string conditions, ManagedQuestions? questions, Func<ManagedQuestions?, ProcessSnapshot> read)
    {
        string dump = StateOf(path);
        if (dump != _dump || _snapshots.Count >= MostSnapshots)
        {
            _dump = dump;
            _snapshots.Clear();
            _natives.Clear();
        }

        // A verdict is what most sessions ask for, before or after something that needs less: one reading serves both.
        return questions is null && Read(ManagedQuestions.OfVerdict) is { AsyncWaits: not null } whole ? whole with { AsyncWaits = null } : Read(questions);

        ProcessSnapshot Read(ManagedQuestions? asked)
        {
            if (!_snapshots.TryGetValue((conditions, asked), out ProcessSnapshot? snapshot))
            {
                _snapshots[(conditions, asked)] = snapshot = read(asked);
            }

            return snapshot;
        }
    }

    /// <summary>Which dump it is, in which state; of a process each moment has a name of its own.</summary>
    private static string StateOf(string path)
    {
        if (DescribedProcess.Of(path) is not null)
        {
            return $"process\0{path}";
        }

        FileInfo file = new(path);
        return file.Exists ? $"{file.FullName}\0{file.Length}\0{file.LastWriteTimeUtc.Ticks}\0{file.CreationTimeUtc.Ticks}" : "";
    }

    /// <summary>The native half of the dump that is being read, which no question changes.</summary>
    /// <param name="conditions">Everything else that reading it depends on; null where nothing is kept.</param>
    /// <param name="read">Reads it.</param>
    public static ProcessSnapshot Native(string? conditions, Func<ProcessSnapshot> read)
    {
        if (conditions is null || Current is not { } kept)
        {
            return read();
        }

        if (!kept._natives.TryGetValue(conditions, out ProcessSnapshot? native))
        {
            kept._natives[conditions] = native = read();
        }

        return native;
    }
}
