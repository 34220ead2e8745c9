using System.Runtime.Versioning;
using Dump.Capture.Windows.Calls;

namespace Dump.Capture.Windows.Holding;

/// <summary>A thread that was suspended once.</summary>
/// <param name="Id">Thread id.</param>
/// <param name="Handle">The thread, opened to suspend and resume it.</param>
/// <param name="Before">The suspend count that it had before.</param>
[SupportedOSPlatform("windows")]
internal sealed record HeldThread(uint Id, WindowsHandle Handle, int Before);
