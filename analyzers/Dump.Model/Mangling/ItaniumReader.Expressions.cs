using System.Collections.Immutable;

namespace Dump.Model.Mangling;

/// <content>Expressions, as they stand in template arguments and in types.</content>
internal sealed partial class ItaniumReader
{
    private MangledPart? Expression()
    {
        if (!TryEnter())
        {
            return null;
        }

        MangledPart? expression = ExpressionHere();
        _depth--;
        return expression;
    }

    private MangledPart? ExpressionHere()
    {
        switch (Next)
        {
            case 'L':
                return Constant();
            case 'T':
                return Parameter();
            case 's' when At(1) == 'r':
                _at += 2;
                return Type() is { } scope && UnresolvedName() is { } name ? new QualifiedName(scope, name) : null;
            case 's' when At(1) == 'p':
                _at += 2;
                return Expression() is { } pattern ? new PackExpansion(pattern) : null;
            case 's' when At(1) is 'Z' or 'P':
                return PackCount();
            case 'f' when At(1) == 'p' || (At(1) == 'L' && char.IsAsciiDigit(At(2))):
                return FunctionParameter();
            case 'f' when At(1) is 'l' or 'r' or 'L' or 'R':
                return Fold();
            case 'i' or 't' when At(1) == 'l':
                return Braced();
            case 'u' when char.IsAsciiDigit(At(1)):
                return VendorExpression();
            case >= '0' and <= '9':
            case 'o' when At(1) == 'n':
            case 'd' when At(1) == 'n':
                return UnresolvedName();
            default:
                return Operation();
        }
    }

    private MangledPart? UnresolvedName()
    {
        bool isDestructor = Take("dn");
        MangledPart? name = isDestructor && !char.IsAsciiDigit(Next) ? Type() : Unqualified();
        name = name is not null && Next == 'I' ? TemplateArguments() is { } arguments ? new TemplateName(name, arguments) : null : name;
        return name is not null && isDestructor ? new PrefixedName("~", name) : name;
    }

    private PackSize? PackCount()
    {
        bool isPack = At(1) == 'Z';
        _at += 2;
        if (isPack)
        {
            return Next == 'T' ? Parameter() is { } parameter ? new PackSize(parameter) : null
                : FunctionParameter() is { } function ? new PackSize(function) : null;
        }

        return List('E') is { } captured ? new PackSize(new Pack(captured)) : null;
    }

    private PlainName? FunctionParameter()
    {
        if (Take("fpT"))
        {
            return new PlainName("this");
        }

        if (!Take("fp"))
        {
            if (!Take("fL") || Number() is null || !Take('p'))
            {
                return null;
            }
        }

        Qualifiers();
        return Ordinal() is { } index ? new PlainName($"{{parm#{index + 1}}}") : null;
    }

    private Expression? Fold()
    {
        char kind = At(1);
        _at += 2;
        if (Binary() is not { } sign || Expression() is not { } first)
        {
            return null;
        }

        PlainName dots = new("..."), open = new("("), close = new(")");
        MangledPart? second = kind is 'L' or 'R' ? Expression() : null;
        return kind switch
        {
            'l' => new Expression(open, dots, sign, new Operand(first), close),
            'r' => new Expression(open, new Operand(first), sign, dots, close),
            _ => second is null ? null : new Expression(open, new Operand(first), sign, dots, sign, new Operand(second), close),
        };
    }

    private PlainName? Binary()
    {
        if (_at + 2 > _text.Length || OperatorTable.Find(_text.Substring(_at, 2)) is not { } found)
        {
            return null;
        }

        _at += 2;
        return new PlainName(found.Text);
    }

    private MangledPart? Braced()
    {
        MangledPart? type = null;
        bool isTyped = Next == 't';
        _at += 2;
        if (isTyped)
        {
            type = Type();
        }

        if ((isTyped && type is null) || List('E') is not { } values)
        {
            return null;
        }

        ExpressionList braces = new('{', values, '}');
        return type is null ? braces : new Expression(type, braces);
    }

    private Expression? VendorExpression()
    {
        _at++;
        return Source() is { } name && Arguments() is { } values ? new Expression(name, new ExpressionList('(', values, ')')) : null;

        ImmutableArray<MangledPart>? Arguments()
        {
            ImmutableArray<MangledPart>.Builder values = ImmutableArray.CreateBuilder<MangledPart>();
            while (!Take('E'))
            {
                if (TemplateArgument() is not { } value)
                {
                    return null;
                }

                values.Add(value);
            }

            return values.ToImmutable();
        }
    }

    private ImmutableArray<MangledPart>? List(char end)
    {
        ImmutableArray<MangledPart>.Builder parts = ImmutableArray.CreateBuilder<MangledPart>();
        while (!Take(end))
        {
            if (Expression() is not { } part)
            {
                return null;
            }

            parts.Add(part);
        }

        return parts.ToImmutable();
    }

    /// <summary>A constant, or the address of something with a name.</summary>
    private MangledPart? Constant()
    {
        _at++;
        if (Next == '_' || Next == 'Z')
        {
            Take('_');
            return Take('Z') && Encoding(isReturning: true) is { } encoding && Take('E') ? encoding : null;
        }

        if (Type() is not { } type)
        {
            return null;
        }

        string sign = Take('n') ? "-" : "";
        int end = _text.IndexOf('E', _at);
        if (end < 0)
        {
            return null;
        }

        string value = sign + _text[_at..end];
        _at = end + 1;
        return new Literal(type, value);
    }
}
