using Dump.Model.Facts;
using Dump.Readers.Minidump;

namespace Dump.Readers.Windows.Waits;

/// <summary>A handle that a thread waits for.</summary>
/// <param name="Value">Its value.</param>
/// <param name="Known">Its entry in the handle stream, or null when the stream lacks it.</param>
/// <param name="Grade">How well it is known that the thread waits for it.</param>
/// <param name="How">Why.</param>
internal sealed record WaitedHandle(ulong Value, MinidumpHandle? Known, Grade Grade, Evidence How)
{
    /// <summary>GetCurrentProcess(), and INVALID_HANDLE_VALUE as well: a wait for this process (winbase.h, ntdef.h).</summary>
    public const ulong CurrentProcess = ulong.MaxValue;

    /// <summary>GetCurrentThread().</summary>
    public const ulong CurrentThread = ulong.MaxValue - 1;
}
