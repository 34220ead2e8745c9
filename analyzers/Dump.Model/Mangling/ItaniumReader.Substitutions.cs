namespace Dump.Model.Mangling;

/// <content>What was named before in the same name, and abbreviations.</content>
internal sealed partial class ItaniumReader
{
    /// <summary>Something named before in the same name, or an abbreviation.</summary>
    /// <param name="isScope">True where a constructor may follow, whose class's name the abbreviation is then printed in full for.</param>
    private MangledPart? Substitution(bool isScope)
    {
        _at++;
        if (Next == '_' || char.IsAsciiDigit(Next) || char.IsAsciiLetterUpper(Next))
        {
            int? index = Next == '_' ? -1 : Base36();
            return index is { } number && Take('_') && number + 1 < _substitutions.Count ? _substitutions[number + 1] : null;
        }

        char letter = Next;
        _at++;
        if (letter == 't')
        {
            return s_standard;
        }

        if (TypeTable.Standard(letter) is not { } found)
        {
            return null;
        }

        bool isFull = isScope && Next is 'C' or 'D';
        _class = new PlainName(found.Template);
        MangledPart name = new StandardName(isFull ? found.Full : found.Short, found.Template);
        return Next == 'B' && Take('B') ? Source() is { } tag ? Added(new TaggedName(name, tag.Name)) : null : name;
    }

    private int? Base36()
    {
        int start = _at, value = 0;
        while (char.IsAsciiDigit(Next) || char.IsAsciiLetterUpper(Next))
        {
            value = (value * 36) + (char.IsAsciiDigit(Next) ? Next - '0' : Next - 'A' + 10);
            _at++;
            if (value > 1_000_000)
            {
                return null;
            }
        }

        return _at == start ? null : value;
    }
}
