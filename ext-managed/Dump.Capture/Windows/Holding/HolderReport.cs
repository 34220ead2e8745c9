using System.Globalization;

namespace Dump.Capture.Windows.Holding;

/// <summary>What the process that holds a target has said so far (<see cref="HolderWords"/>). Lines of another form change nothing but that they are the last.</summary>
internal sealed class HolderReport
{
    private readonly Dictionary<uint, int> _counts = [];
    private string? _lastWord;

    /// <summary>Suspend counts that threads had before they were suspended, by thread id.</summary>
    public IReadOnlyDictionary<uint, int> Counts => _counts;

    /// <summary>True from the first suspended thread on until all run again.</summary>
    public bool IsHeld { get; private set; }

    /// <summary>True when it has said whether the threads could be suspended.</summary>
    public bool HasAnswered { get; private set; }

    /// <summary>True when all threads are suspended: nothing was said since.</summary>
    public bool HasStopped => _lastWord == HolderWords.Stopped;

    /// <summary>True when they cannot be suspended.</summary>
    public bool HasRefused => _lastWord == HolderWords.Refused;

    /// <summary>True when none is held any more, or none was.</summary>
    public bool HasEnded => _lastWord is HolderWords.Gone or HolderWords.Refused or HolderWords.Expired;

    /// <summary>True when they were let go because the time was over.</summary>
    public bool HasExpired => _lastWord == HolderWords.Expired;

    /// <summary>Takes a line.</summary>
    public void Hear(string line)
    {
        if (line.Split(' ') is [HolderWords.Thread, var id, var before]
            && uint.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out uint thread)
            && int.TryParse(before, NumberStyles.None, CultureInfo.InvariantCulture, out int count))
        {
            IsHeld = true;
            _counts[thread] = count;
            _lastWord = HolderWords.Thread;
            return;
        }

        _lastWord = line;
        IsHeld = IsHeld && !HasEnded;
        HasAnswered |= line is HolderWords.Stopped or HolderWords.Refused or HolderWords.Expired;
    }
}
