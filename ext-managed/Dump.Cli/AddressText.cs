using System.Globalization;

namespace Dump.Cli;

/// <summary>Addresses as people type and debuggers print them.</summary>
internal static class AddressText
{
    /// <summary>Reads an address.</summary>
    /// <param name="text">Hexadecimal digits, with or without <c>0x</c>.</param>
    /// <param name="addError">Receives what is wrong.</param>
    public static ulong? Parse(string text, Action<string> addError)
    {
        // Debuggers print 64-bit addresses with a grave accent in the middle.
        string digits = (text.StartsWith("0x", StringComparison.OrdinalIgnoreCase) ? text[2..] : text).Replace("`", "", StringComparison.Ordinal);
        if (ulong.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong address))
        {
            return address;
        }

        addError($"'{text}' is no address; give hexadecimal digits such as 7fd8f980c378 or 0x7fd8f980c378.");
        return null;
    }
}
