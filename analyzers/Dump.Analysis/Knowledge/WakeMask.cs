using System.Globalization;

namespace Dump.Analysis.Knowledge;

/// <summary>Which messages end a wait: the bits <c>QS_</c> of winuser.h (Microsoft Learn, "MsgWaitForMultipleObjectsEx function").</summary>
internal static class WakeMask
{
    private const uint SendMessage = 0x40;

    private static readonly (uint Bits, string Name)[] s_names =
    [
        (0x4FF, "QS_ALLINPUT"), (0x4BF, "QS_ALLEVENTS"), (0x407, "QS_INPUT"), (0x6, "QS_MOUSE"),
        (0x1, "QS_KEY"), (0x2, "QS_MOUSEMOVE"), (0x4, "QS_MOUSEBUTTON"), (0x8, "QS_POSTMESSAGE"), (0x10, "QS_TIMER"), (0x20, "QS_PAINT"),
        (SendMessage, "QS_SENDMESSAGE"),
        (0x80, "QS_HOTKEY"), (0x100, "QS_ALLPOSTMESSAGE"), (0x400, "QS_RAWINPUT"), (0x800, "QS_TOUCH"), (0x1000, "QS_POINTER"),
    ];

    /// <summary>True when a message that another thread sends ends the wait.</summary>
    public static bool TakesSentMessages(uint mask) => (mask & SendMessage) != 0;

    /// <summary>True when a posted message ends it, which is how COM calls reach a single-threaded apartment.</summary>
    public static bool TakesPostedMessages(uint mask) => (mask & (0x8 | 0x100)) != 0;

    /// <summary>The names of the bits, for example <c>QS_SENDMESSAGE | QS_TIMER</c>; <c>no messages</c> for none.</summary>
    public static string Names(uint mask)
    {
        List<string> names = [];
        uint left = mask;
        foreach ((uint bits, string name) in s_names)
        {
            if ((left & bits) == bits)
            {
                names.Add(name);
                left &= ~bits;
            }
        }

        if (left != 0)
        {
            names.Add(string.Create(CultureInfo.InvariantCulture, $"0x{left:x}"));
        }

        return names.Count == 0 ? "no messages" : string.Join(" | ", names);
    }
}
