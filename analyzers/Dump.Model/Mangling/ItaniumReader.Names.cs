namespace Dump.Model.Mangling;

/// <content>Names, in what they stand in.</content>
internal sealed partial class ItaniumReader
{
    private static readonly PlainName s_standard = new("std");

    private MangledPart? Name()
    {
        if (!TryEnter())
        {
            return null;
        }

        MangledPart? name = Next switch { 'N' => Nested(), 'Z' => Local(), _ => Unscoped() };
        _depth--;
        return name;
    }

    private MangledPart? Unscoped()
    {
        bool isKnown = Next == 'S' && At(1) != 't';
        MangledPart? name = isKnown ? Substitution(isScope: false)
            : Take("St") ? Unqualified() is { } inner ? new QualifiedName(s_standard, inner) : null
            : Unqualified();
        if (name is null || Next != 'I')
        {
            return name;
        }

        if (!isKnown)
        {
            Added(name);
        }

        return TemplateArguments() is { } arguments ? new TemplateName(name, arguments) : null;
    }

    private MangledPart? Nested()
    {
        _at++;
        Take('H');
        string qualifiers = Qualifiers();
        qualifiers += Take('R') ? " &" : Take('O') ? " &&" : "";
        MangledPart? name = Prefix();
        return name is null || !Take('E') ? null : qualifiers.Length == 0 ? name : new MemberName(name, qualifiers);
    }

    /// <summary>The words for const, volatile and restrict, each with a space before it, in the order in which they are written.</summary>
    private string Qualifiers()
    {
        const int Most = 3;
        string words = "";
        for (int i = 0; i < Most && Next is 'r' or 'V' or 'K'; i++)
        {
            words = (Next switch { 'r' => " restrict", 'V' => " volatile", _ => " const" }) + words;
            _at++;
        }

        return words;
    }

    /// <summary>The parts of a nested name up to its end, each in those before it.</summary>
    private MangledPart? Prefix()
    {
        MangledPart? name = null;
        while (Next != 'E')
        {
            char first = Next;
            if (first == 'M' && name is not null)
            {
                // The initializer of a data member, in which a lambda stands.
                _at++;
                continue;
            }

            if (first == 'I')
            {
                name = name is not null && TemplateArguments() is { } arguments ? new TemplateName(name, arguments) : null;
            }
            else
            {
                MangledPart? part = first switch
                {
                    'S' => Substitution(isScope: true),
                    'T' => Parameter(),
                    'D' when At(1) is 'T' or 't' => Type(),
                    _ => Unqualified(),
                };
                name = part is null ? null : name is null ? part : new QualifiedName(name, part);
            }

            if (name is null)
            {
                return null;
            }

            // A type is already added where it is read.
            if (first != 'S' && Next != 'E' && !(first == 'D' && ReferenceEquals(name, _substitutions.LastOrDefault())))
            {
                Added(name);
            }
        }

        return name;
    }

    private LocalName? Local()
    {
        _at++;
        if (Encoding(isReturning: false) is not { } function || !Take('E'))
        {
            return null;
        }

        if (Take('s'))
        {
            return Discriminator() ? new LocalName(function, new PlainName("string literal")) : null;
        }

        int? argument = Take('d') ? Ordinal() : -1;
        if (argument is null || Name() is not { } name || !Discriminator())
        {
            return null;
        }

        return new LocalName(function, argument < 0 ? name : new PrefixedName($"{{default arg#{argument + 1}}}::", name));
    }

    /// <summary>What tells equal names in one function apart; false for a wrong one.</summary>
    private bool Discriminator()
    {
        if (Next != '_' || !(char.IsAsciiDigit(At(1)) || At(1) == '_'))
        {
            return true;
        }

        _at++;
        return Take('_') ? Number() is not null && Take('_') : Number() is not null;
    }
}
