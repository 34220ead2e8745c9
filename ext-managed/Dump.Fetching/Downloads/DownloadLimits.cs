namespace Dump.Fetching.Downloads;

/// <summary>What one answer of a server may take.</summary>
public sealed record DownloadLimits
{
    /// <summary>The usual ones.</summary>
    public static DownloadLimits Default { get; } = new();

    /// <summary>How long a server may send nothing.</summary>
    public TimeSpan Silence { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long one download may take.</summary>
    public TimeSpan Whole { get; init; } = TimeSpan.FromHours(1);

    /// <summary>How many times a server may send to another address.</summary>
    public int Redirections { get; init; } = 5;

    /// <summary>Bytes of an answer that is read as text, such as the index of a feed.</summary>
    public long Text { get; init; } = 4 << 20;

    /// <summary>Bytes of a package.</summary>
    public long Package { get; init; } = 512 << 20;

    /// <summary>Bytes of a PDB or image file, compressed or not.</summary>
    public long File { get; init; } = 4L << 30;

    /// <summary>Bytes of a Linux debug file or image.</summary>
    public long DebugFile { get; init; } = 2L << 30;

    /// <summary>Bytes of all answers together: what goes beyond is not begun any more.</summary>
    public long Together { get; init; } = 16L << 30;
}
