namespace Dump.Analysis.Detection;

/// <summary>Detectors that belong together, so that one word asks for all of them (<c>--only spin</c>): the name in lower case.</summary>
public enum DetectorFamily
{
    /// <summary>The loader lock and load ownership.</summary>
    Loader,

    /// <summary>Locks and their owners.</summary>
    Lock,

    /// <summary>Tasks and the thread pool of .NET.</summary>
    Tasks,

    /// <summary>Threads that burn CPU time.</summary>
    Spin,

    /// <summary>Collections of .NET.</summary>
    Collections,

    /// <summary>Threads with a message loop that do not come back to it.</summary>
    Ui,

    /// <summary>Crashes, which are no hangs.</summary>
    Crash,
}
