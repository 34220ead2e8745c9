namespace Dump.Model.Mangling;

/// <content>Types.</content>
internal sealed partial class ItaniumReader
{
    private bool _isInConversion;

    private MangledPart? Type()
    {
        if (!TryEnter())
        {
            return null;
        }

        MangledPart? type = TypeHere();
        _depth--;
        return type;
    }

    private MangledPart? TypeHere()
    {
        char first = Next;
        if (TypeTable.Builtin(first) is { } builtin)
        {
            _at++;
            return new PlainName(builtin);
        }

        return first switch
        {
            'r' or 'V' or 'K' => Qualified(),
            'P' => Pointed("*"),
            'R' => Pointed("&"),
            'O' => Pointed("&&"),
            'C' => Worded(" _Complex"),
            'G' => Worded(" _Imaginary"),
            'F' => Added(FunctionHere("")),
            'A' => Added(Array()),
            'M' => Added(PointerToMember()),
            'T' when At(1) is 's' or 'u' or 'e' => Elaborated(),
            'T' => ParameterType(),
            'S' => SubstitutedType(),
            'D' => ExtendedType(),
            'U' when At(1) is not ('l' or 't') => VendorQualified(),
            'u' => VendorType(),
            'N' or 'Z' or 'U' or >= '0' and <= '9' => Added(Name()),
            _ => null,
        };
    }

    private MangledPart? Qualified()
    {
        string words = Qualifiers();

        // Those before a function's type are part of it: they are of the object.
        bool isFunction = Next == 'F' || (Next == 'D' && At(1) is 'x' or 'o' or 'O' or 'w');
        return Added(isFunction ? ExceptionAndFunction(words) : Type() is { } type ? new QualifiedType(type, words) : null);
    }

    private MangledPart? Pointed(string sign)
    {
        _at++;
        return Added(Type() is { } type ? new PointerType(type, sign) : null);
    }

    private MangledPart? Worded(string word)
    {
        _at++;
        return Added(Type() is { } type ? new QualifiedType(type, word) : null);
    }

    private MangledPart? Elaborated()
    {
        _at += 2;
        return Added(Name());
    }

    private MangledPart? VendorQualified()
    {
        _at++;
        if (Source() is not { } word || (Next == 'I' && TemplateArguments() is null))
        {
            return null;
        }

        return Added(Type() is { } type ? new QualifiedType(type, " " + word.Name) : null);
    }

    private MangledPart? VendorType()
    {
        _at++;
        MangledPart? name = Source();
        return Added(name is not null && Next == 'I' ? TemplateArguments() is { } arguments ? new TemplateName(name, arguments) : null : name);
    }

    /// <summary>What a function may throw, and its type.</summary>
    private FunctionType? ExceptionAndFunction(string qualifiers)
    {
        string exceptions = "";
        if (Take("Do"))
        {
            exceptions = " noexcept";
        }
        else if (Take("DO"))
        {
            exceptions = " noexcept";
            if (Expression() is null || !Take('E'))
            {
                return null;
            }
        }
        else if (Take("Dw"))
        {
            exceptions = " throw";
            if (Parameters() is null || !Take('E'))
            {
                return null;
            }
        }

        return Take("Dx") ? FunctionHere(qualifiers + " transaction_safe" + exceptions) : FunctionHere(qualifiers + exceptions);
    }

    private FunctionType? FunctionHere(string qualifiers)
    {
        if (!Take('F'))
        {
            return null;
        }

        Take('Y');
        if (Type() is not { } result || Parameters() is not { } parameters)
        {
            return null;
        }

        string reference = Take('R') ? " &" : Take('O') ? " &&" : "";
        return Take('E') ? new FunctionType(result, parameters, qualifiers + reference) : null;
    }

    private ArrayType? Array()
    {
        _at++;
        MangledPart? extent = null;
        if (char.IsAsciiDigit(Next))
        {
            extent = Number() is { } number ? new PlainName(number.ToString(System.Globalization.CultureInfo.InvariantCulture)) : null;
        }
        else if (Next != '_')
        {
            extent = Expression();
            if (extent is null)
            {
                return null;
            }
        }

        return Take('_') && Type() is { } element ? new ArrayType(element, extent) : null;
    }

    private MemberPointer? PointerToMember()
    {
        _at++;
        return Type() is { } of && Type() is { } member ? new MemberPointer(of, member) : null;
    }

    private MangledPart? SubstitutedType()
    {
        if (At(1) == 't')
        {
            return Added(Name());
        }

        MangledPart? known = Substitution(isScope: false);
        return known is null || Next != 'I' ? known : TemplateArguments() is { } arguments ? Added(new TemplateName(known, arguments)) : null;
    }

    private MangledPart? ExtendedType()
    {
        char second = At(1);
        switch (second)
        {
            case 'T' or 't':
                _at += 2;
                MangledPart? expression = Expression();
                return Added(expression is not null && Take('E') ? new Expression(new PlainName("decltype ("), expression, new PlainName(")")) : null);
            case 'p':
                _at += 2;
                return Added(Type() is { } pattern ? new PackExpansion(pattern) : null);
            case 'v':
                _at += 2;
                return Vector();
            case 'x' or 'o' or 'O' or 'w':
                return Added(ExceptionAndFunction(""));
            case 'F':
                _at += 2;
                return Number() is { } bits ? Take('_') ? new PlainName($"_Float{bits}") : Take('b') ? new PlainName("std::bfloat16_t") : null : null;
            default:
                _at += 2;
                return TypeTable.Extended(second) is { } name ? new PlainName(name) : null;
        }
    }

    private MangledPart? Vector()
    {
        MangledPart? size = char.IsAsciiDigit(Next) ? Number() is { } number ? new PlainName($"{number}") : null
            : Take('_') ? Expression()
            : null;
        return size is not null && Take('_') && Type() is { } element
            ? Added(new Expression(element, new PlainName(" __vector("), size, new PlainName(")")))
            : null;
    }
}
