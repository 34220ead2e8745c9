namespace Dump.Triage.Children;

/// <summary>A child process with all processes that it starts.</summary>
internal interface IProcessGroup : IDisposable
{
    /// <summary>Bytes of memory that only they have; null when it cannot be told.</summary>
    long? Memory();

    /// <summary>Processor time that those of them which are alive have used; null when it cannot be told.</summary>
    TimeSpan? ProcessorTime();

    /// <summary>Ends them all at once.</summary>
    /// <param name="hasHeadEnded">True when the child itself has ended already, so that its process id may soon be another's.</param>
    void End(bool hasHeadEnded);
}
