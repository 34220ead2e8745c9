namespace Dump.Triage.Children;

/// <summary>A child process with all processes that it starts.</summary>
internal interface IProcessGroup : IDisposable
{
    /// <summary>Bytes of memory that only they have; null when it cannot be told.</summary>
    long? Memory();

    /// <summary>Ends them all at once.</summary>
    void End();
}
