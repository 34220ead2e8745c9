using System.Collections.Immutable;

namespace Dump.Model.Mangling;

/// <content>Names without what they stand in.</content>
internal sealed partial class ItaniumReader
{
    private MangledPart? Unqualified()
    {
        Take('F');
        MangledPart? name = Next switch
        {
            >= '0' and <= '9' => Source(),
            >= 'a' and <= 'z' => Operator(),
            'C' or 'D' => Constructor(),
            'L' => Internal(),
            'U' => Unnamed(),
            _ => null,
        };
        while (name is not null && Take('B'))
        {
            MangledPart? hold = _class;
            name = Source() is { } tag ? new TaggedName(name, tag.Name) : null;
            _class = hold;
        }

        return name;
    }

    private MangledPart? Internal()
    {
        if (!TryEnter())
        {
            return null;
        }

        _at++;
        MangledPart? name = Unqualified() is { } inner && Discriminator() ? inner : null;
        _depth--;
        return name;
    }

    private PlainName? Source()
    {
        if (Number() is not { } length || length == 0 || length > _text.Length - _at)
        {
            return null;
        }

        string name = _text.Substring(_at, length);
        _at += length;
        bool isAnonymous = name.Length > 9 && name.StartsWith("_GLOBAL_", StringComparison.Ordinal) && name[8] is '.' or '_' or '$' && name[9] == 'N';
        PlainName source = new(isAnonymous ? "(anonymous namespace)" : name);
        _class = source;
        return source;
    }

    private MangledPart? Constructor()
    {
        if (Take("DC"))
        {
            return Binding();
        }

        bool isDestructor = Next == 'D';
        bool isInherited = !isDestructor && At(1) == 'I';
        _at += isInherited ? 2 : 1;
        if (_class is not { } named || !char.IsAsciiDigit(Next))
        {
            return null;
        }

        _at++;

        // An inherited one is named after the class that it is inherited from.
        return isInherited && Type() is null ? null : new ConstructorName(_class ?? named, isDestructor);
    }

    private ExpressionList? Binding()
    {
        ImmutableArray<MangledPart>.Builder names = ImmutableArray.CreateBuilder<MangledPart>();
        while (!Take('E'))
        {
            if (Source() is not { } name)
            {
                return null;
            }

            names.Add(name);
        }

        return new ExpressionList('[', names.ToImmutable(), ']');
    }

    private MangledPart? Operator()
    {
        if (Take("cv"))
        {
            bool hold = _isInConversion;
            _isInConversion = true;
            MangledPart? type = Type();
            _isInConversion = hold;
            return type is null ? null : new ConversionName(type);
        }

        Take("on");
        if (Take("li"))
        {
            return Source() is { } suffix ? new PlainName($"operator\"\" {suffix.Name}") : null;
        }

        if (Next == 'v' && char.IsAsciiDigit(At(1)))
        {
            _at += 2;
            return Source() is { } vendor ? new PlainName($"operator {vendor.Name}") : null;
        }

        if (_at + 2 > _text.Length || OperatorTable.Find(_text.Substring(_at, 2)) is not { } found)
        {
            return null;
        }

        _at += 2;
        return new PlainName($"operator{(char.IsAsciiLetter(found.Text[0]) ? " " : "")}{found.Text.TrimEnd()}");
    }
}
