using System.Collections.Immutable;
using Dump.Model.Facts;

namespace Dump.Model.Waits;

/// <summary>A wait for kernel objects that messages may end as well: <c>MsgWaitForMultipleObjects</c> or <c>MsgWaitForMultipleObjectsEx</c>.</summary>
/// <param name="Function">The function that was called.</param>
/// <param name="WakeMask">Which messages end it: bits <c>QS_KEY</c> and so on of winuser.h.</param>
/// <param name="Evidence">Why; never empty.</param>
public sealed record MessageWait(string Function, uint WakeMask, ImmutableArray<Evidence> Evidence)
{
    // QS_KEY, QS_MOUSEMOVE, QS_MOUSEBUTTON, QS_HOTKEY, QS_RAWINPUT, QS_TOUCH, QS_POINTER.
    private const uint Input = 0x1 | 0x2 | 0x4 | 0x80 | 0x400 | 0x800 | 0x1000;

    /// <summary>True when a key or the mouse ends the wait.</summary>
    public bool TakesInput => (WakeMask & Input) != 0;
}
