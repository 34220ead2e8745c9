using System.Globalization;

namespace Dump.Model.Mangling;

/// <content>Constants among generic arguments.</content>
internal sealed partial class RustName
{
    private bool Constant() => Within(() => Take('B') ? Back(Constant) : ConstantHere());

    private bool ConstantHere()
    {
        char type = Next;
        _at++;
        if (type == 'p')
        {
            return Print("_");
        }

        bool isSigned = type is 'a' or 's' or 'l' or 'x' or 'n' or 'i';
        if (!isSigned && type is not ('h' or 't' or 'm' or 'y' or 'o' or 'j' or 'b' or 'c'))
        {
            return false;
        }

        string sign = isSigned && Take('n') ? "-" : "";
        int end = _text.IndexOf('_', _at);
        if (end < 0 || !_text.AsSpan(_at, end - _at).ToString().All(char.IsAsciiHexDigitLower))
        {
            return false;
        }

        string digits = _text[_at..end].TrimStart('0');
        _at = end + 1;
        if (digits.Length > 16)
        {
            return Print($"{sign}0x{digits}");
        }

        ulong value = digits.Length == 0 ? 0 : ulong.Parse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
        return Print(type switch
        {
            'b' => value switch { 0 => "false", 1 => "true", _ => "?" },
            'c' => value switch
            {
                '\'' or '\\' => $"'\\{(char)value}'",
                >= ' ' and <= '~' => $"'{(char)value}'",
                _ => string.Create(CultureInfo.InvariantCulture, $"'\\u{{{value:x}}}'"),
            },
            _ => string.Create(CultureInfo.InvariantCulture, $"{sign}{value}"),
        });
    }
}
