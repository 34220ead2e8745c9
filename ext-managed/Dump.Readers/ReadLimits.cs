namespace Dump.Readers;

/// <summary>Limits on what a reader accepts from untrusted input. A count above its limit is cut there and reported as a problem.</summary>
public sealed record ReadLimits
{
    /// <summary>The defaults.</summary>
    public static ReadLimits Default { get; } = new();

    /// <summary>Most streams of a minidump's directory.</summary>
    public int MaxStreams { get; init; } = 1_024;

    /// <summary>Most threads.</summary>
    public int MaxThreads { get; init; } = 20_000;

    /// <summary>Most modules, loaded or unloaded.</summary>
    public int MaxModules { get; init; } = 100_000;

    /// <summary>Most memory ranges or regions.</summary>
    public int MaxMemoryRanges { get; init; } = 10_000_000;

    /// <summary>Most handles.</summary>
    public int MaxHandles { get; init; } = 1_000_000;

    /// <summary>Most characters of one string; longer ones are cut.</summary>
    public int MaxStringLength { get; init; } = 4_096;

    /// <summary>Most bytes of all strings and object information together. Those of a sound file do not overlap, so the file's length is a limit too.</summary>
    public int MaxTextBytes { get; init; } = 128 * 1024 * 1024;

    /// <summary>Most frames of one stack.</summary>
    public int MaxFrames { get; init; } = 1_024;

    /// <summary>
    /// Most frames of all stacks together. A caller's frame takes its return address on the stack and those of a sound file do not overlap, so the file's
    /// length divided by the size of an address is a limit too.
    /// </summary>
    public int MaxTotalFrames { get; init; } = 2_000_000;

    /// <summary>Most functions of dynamic function tables; further ones are left out.</summary>
    public int MaxDynamicFunctions { get; init; } = 1_000_000;

    /// <summary>Most elements of a linked list in target memory.</summary>
    public int MaxListLength { get; init; } = 100_000;
}
