using System.Globalization;
using System.Runtime.InteropServices;
using Dump.Model.Text;

namespace Dump.Capture.Windows.Calls;

/// <summary>Errors of Windows in words.</summary>
internal static class WindowsError
{
    private const int FacilityWin32 = unchecked((int)0x80070000);
    private const int CodeMask = 0xFFFF;

    /// <summary>The system's text on an error, with its number.</summary>
    /// <param name="error">An error of winerror.h, also as HRESULT.</param>
    public static string Text(int error)
    {
        int code = (error & ~CodeMask) == FacilityWin32 ? error & CodeMask : error;
        string text = SafeText.Clean(Marshal.GetPInvokeErrorMessage(code)).TrimEnd('.', ' ');
        return string.Create(CultureInfo.InvariantCulture, $"{text} (error {(code is > 0 and <= CodeMask ? $"{code}" : $"0x{code:x8}")})");
    }
}
