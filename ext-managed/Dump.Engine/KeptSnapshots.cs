using Dump.Model.Process;

namespace Dump.Engine;

/// <summary>
/// Snapshots of one dump that were read before, so that another question about it does not read it again. A snapshot never changes, and no answer changes it:
/// what is answered from it is what would be answered after reading it anew. For one question at a time.
/// </summary>
public sealed class KeptSnapshots
{
    private const int MostSnapshots = 8;
    private readonly Dictionary<(string Conditions, ManagedQuestions? Questions), ProcessSnapshot> _snapshots = [];
    private readonly Dictionary<string, ProcessSnapshot> _natives = [];
    private string? _target;

    /// <summary>The snapshot that was read under the same conditions; else reads it and keeps it. Those of another target go.</summary>
    /// <param name="target">Which dump or moment it is, in which state.</param>
    /// <param name="conditions">Everything else that reading it depends on.</param>
    /// <param name="questions">What to look for in the managed half besides; null for nothing.</param>
    /// <param name="read">Reads it with these questions, or with more.</param>
    internal ProcessSnapshot Get(string target, string conditions, ManagedQuestions? questions, Func<ManagedQuestions?, ProcessSnapshot> read)
    {
        if (target != _target || _snapshots.Count >= MostSnapshots)
        {
            _target = target;
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

    /// <summary>The native half of the target that is being read, which no question changes.</summary>
    /// <param name="conditions">Everything else that reading it depends on.</param>
    /// <param name="read">Reads it.</param>
    internal ProcessSnapshot Native(string conditions, Func<ProcessSnapshot> read)
    {
        if (!_natives.TryGetValue(conditions, out ProcessSnapshot? native))
        {
            _natives[conditions] = native = read();
        }

        return native;
    }
}
