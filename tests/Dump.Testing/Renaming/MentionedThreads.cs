using Dump.Model.Process;

namespace Dump.Testing.Renaming;

/// <summary>Collects the thread ids of snapshots, those of threads that are not listed included.</summary>
internal sealed class MentionedThreads : IRenaming
{
    private readonly HashSet<uint> _ids = [];

    /// <summary>The ids.</summary>
    public static IReadOnlySet<uint> In(params ProcessSnapshot[] snapshots)
    {
        MentionedThreads mentioned = new();
        foreach (ProcessSnapshot snapshot in snapshots)
        {
            ModelWalk.Rename(snapshot, mentioned);
        }

        return mentioned._ids;
    }

    /// <inheritdoc/>
    public uint Thread(uint id)
    {
        _ids.Add(id);
        return id;
    }

    /// <inheritdoc/>
    public uint Process(uint id) => id;

    /// <inheritdoc/>
    public ulong Word(ulong value) => value;

    /// <inheritdoc/>
    public ulong Address(ulong address) => address;

    /// <inheritdoc/>
    public string Text(string text) => text;
}
