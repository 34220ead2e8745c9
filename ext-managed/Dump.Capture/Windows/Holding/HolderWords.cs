namespace Dump.Capture.Windows.Holding;

/// <summary>The lines in which a program and the process that holds its target speak with each other.</summary>
internal static class HolderWords
{
    /// <summary>To the holder: suspend the threads; for how many milliseconds at most follows.</summary>
    public const string Stop = "stop";

    /// <summary>To the holder: let them go, and end.</summary>
    public const string Go = "go";

    /// <summary>From the holder: it can be asked.</summary>
    public const string Ready = "ready";

    /// <summary>From the holder: a thread is about to be suspended; its id and the count that it has follow.</summary>
    public const string Thread = "thread";

    /// <summary>From the holder: all are.</summary>
    public const string Stopped = "stopped";

    /// <summary>From the holder: they cannot be; none is.</summary>
    public const string Refused = "refused";

    /// <summary>From the holder: all run again.</summary>
    public const string Gone = "gone";

    /// <summary>From the holder: all run again, although nobody has asked for it yet: the time is over.</summary>
    public const string Expired = "expired";
}
