using System.Globalization;
using System.Text;

namespace Dump.Model.Text;

/// <summary>Names of enumeration values in words.</summary>
public static class EnumText
{
    /// <summary>The name in lower case with its words apart, for example <c>dump stream</c> for <c>DumpStream</c>.</summary>
    public static string Words<T>(T value)
        where T : struct, Enum
    {
        StringBuilder words = new();
        foreach (char letter in value.ToString())
        {
            if (char.IsUpper(letter) && words.Length > 0)
            {
                words.Append(' ');
            }

            words.Append(char.ToLower(letter, CultureInfo.InvariantCulture));
        }

        return words.ToString();
    }
}
