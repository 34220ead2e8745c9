using System.Runtime.Versioning;
using Dump.Model.Process;
using Dump.Readers.Linux;

namespace Dump.Capture;

/// <summary>What was read of a process while it was stopped.</summary>
/// <param name="snapshot">The process, without the names of functions in native code.</param>
/// <param name="moment">What has these names.</param>
/// <param name="notKept">Why the core could not be kept; null when it was, or nobody asked.</param>
[SupportedOSPlatform("linux")]
internal sealed class StoppedReading(ProcessSnapshot snapshot, LinuxMoment moment, string? notKept) : IDisposable
{
    /// <summary>Why the core could not be kept; null when it was, or nobody asked.</summary>
    public string? NotKept => notKept;

    /// <summary>The process with the names of its functions, which are read from files: that takes a while, and the process need not stand still for it.</summary>
    public ProcessSnapshot Named() => moment.Named(snapshot);

    /// <inheritdoc/>
    public void Dispose() => moment.Dispose();
}
