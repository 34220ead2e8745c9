namespace Dump.Capture.Windows;

/// <summary>Processor times of a thread at the moment of a sample.</summary>
/// <param name="Created">When it was created (UTC).</param>
/// <param name="Kernel">Time in kernel mode.</param>
/// <param name="User">Time in user mode.</param>
internal readonly record struct WindowsThreadSample(DateTime Created, TimeSpan Kernel, TimeSpan User)
{
    /// <summary>Kernel and user time together.</summary>
    public TimeSpan Total => Kernel + User;
}
