using System.Collections.Frozen;
using System.Globalization;

namespace Dump.Analysis.Knowledge;

/// <summary>Names of window messages.</summary>
internal static class WindowMessageNames
{
    private const uint User = 0x400;
    private const uint Application = 0x8000;
    private const uint Registered = 0xC000;

    // winuser.h; those that programs handle.
    private static readonly FrozenDictionary<uint, string> s_names = new Dictionary<uint, string>
    {
        [0x01] = "WM_CREATE", [0x02] = "WM_DESTROY", [0x03] = "WM_MOVE", [0x05] = "WM_SIZE", [0x06] = "WM_ACTIVATE", [0x07] = "WM_SETFOCUS",
        [0x08] = "WM_KILLFOCUS", [0x0A] = "WM_ENABLE",
        [0x0C] = "WM_SETTEXT", [0x0D] = "WM_GETTEXT", [0x0F] = "WM_PAINT", [0x10] = "WM_CLOSE", [0x11] = "WM_QUERYENDSESSION", [0x12] = "WM_QUIT",
        [0x14] = "WM_ERASEBKGND",
        [0x16] = "WM_ENDSESSION", [0x18] = "WM_SHOWWINDOW", [0x1A] = "WM_SETTINGCHANGE", [0x1C] = "WM_ACTIVATEAPP", [0x20] = "WM_SETCURSOR",
        [0x2B] = "WM_DRAWITEM",
        [0x46] = "WM_WINDOWPOSCHANGING", [0x47] = "WM_WINDOWPOSCHANGED", [0x4A] = "WM_COPYDATA", [0x4E] = "WM_NOTIFY", [0x7B] = "WM_CONTEXTMENU",
        [0x7E] = "WM_DISPLAYCHANGE",
        [0x84] = "WM_NCHITTEST", [0xA0] = "WM_NCMOUSEMOVE", [0xA1] = "WM_NCLBUTTONDOWN", [0xA2] = "WM_NCLBUTTONUP", [0xFF] = "WM_INPUT",
        [0x100] = "WM_KEYDOWN", [0x101] = "WM_KEYUP", [0x102] = "WM_CHAR", [0x104] = "WM_SYSKEYDOWN", [0x105] = "WM_SYSKEYUP", [0x110] = "WM_INITDIALOG",
        [0x111] = "WM_COMMAND",
        [0x112] = "WM_SYSCOMMAND", [0x113] = "WM_TIMER", [0x114] = "WM_HSCROLL", [0x115] = "WM_VSCROLL", [0x116] = "WM_INITMENU", [0x117] = "WM_INITMENUPOPUP",
        [0x121] = "WM_ENTERIDLE",
        [0x200] = "WM_MOUSEMOVE", [0x201] = "WM_LBUTTONDOWN", [0x202] = "WM_LBUTTONUP", [0x203] = "WM_LBUTTONDBLCLK", [0x204] = "WM_RBUTTONDOWN",
        [0x205] = "WM_RBUTTONUP",
        [0x207] = "WM_MBUTTONDOWN", [0x208] = "WM_MBUTTONUP", [0x20A] = "WM_MOUSEWHEEL", [0x216] = "WM_MOVING", [0x218] = "WM_POWERBROADCAST",
        [0x219] = "WM_DEVICECHANGE",
        [0x233] = "WM_DROPFILES", [0x240] = "WM_TOUCH", [0x245] = "WM_POINTERUPDATE", [0x246] = "WM_POINTERDOWN", [0x247] = "WM_POINTERUP",
        [0x2A3] = "WM_MOUSELEAVE",
        [0x2B1] = "WM_WTSSESSION_CHANGE", [0x300] = "WM_CUT", [0x301] = "WM_COPY", [0x302] = "WM_PASTE", [0x308] = "WM_DRAWCLIPBOARD", [0x312] = "WM_HOTKEY",
        [0x31D] = "WM_CLIPBOARDUPDATE",
        [0x3E0] = "WM_DDE_INITIATE", [0x3E8] = "WM_DDE_EXECUTE",
    }.ToFrozenDictionary();

    /// <summary>A message in words: its name, its place in a program's own range (<c>WM_APP+1</c>), or its number.</summary>
    public static string Of(uint message) => message switch
    {
        _ when s_names.TryGetValue(message, out string? name) => name,
        >= User and < Application => string.Create(CultureInfo.InvariantCulture, $"WM_USER+{message - User}"),
        >= Application and < Registered => string.Create(CultureInfo.InvariantCulture, $"WM_APP+{message - Application}"),
        >= Registered => string.Create(CultureInfo.InvariantCulture, $"registered message 0x{message:x}"),
        _ => string.Create(CultureInfo.InvariantCulture, $"message 0x{message:x}"),
    };
}
