namespace Dump.Model.Mangling;

/// <content>Operators with their operands.</content>
internal sealed partial class ItaniumReader
{
    private MangledPart? Operation()
    {
        if (_at + 2 > _text.Length)
        {
            return null;
        }

        string letters = _text.Substring(_at, 2);
        _at += 2;
        switch (letters)
        {
            case "cv":
                return Conversion();
            case "st" or "at" or "ti":
                return Type() is { } type && OperatorTable.Find(letters) is { } word
                    ? new Expression(new PlainName(word.Text + "("), type, new PlainName(")"))
                    : null;
            case "dc" or "sc" or "cc" or "rc":
                return Cast(letters);
            case "cl" or "cp":
                return Call();
            case "pp" or "mm":
                return Step(letters);
            case "nw" or "na":
                return Allocation(letters == "na");
        }

        return OperatorTable.Find(letters) switch
        {
            (var sign, 0) => new PlainName(sign),
            (var sign, 1) => Unary(letters, sign),
            (var sign, 2) => TwoOperands(letters, sign),
            (_, 3) => Choice(),
            _ => null,
        };
    }

    private MangledPart? Unary(string letters, string sign)
    {
        if (Expression() is not { } operand)
        {
            return null;
        }

        // The address of a member function is written without parentheses and parameters.
        bool isMember = letters == "ad" && operand is FunctionPart { IsQualified: true };
        return isMember ? new Expression(new PlainName(sign), ((FunctionPart)operand).Name)
            : letters == "gs" ? new Expression(new PlainName(sign), operand)
            : letters is "nx" ? new Expression(new PlainName(sign + "("), operand, new PlainName(")"))
            : new Expression(new PlainName(sign), new Operand(operand));
    }

    private MangledPart? TwoOperands(string letters, string sign)
    {
        if (Expression() is not { } left || Right() is not { } right)
        {
            return null;
        }

        return letters switch
        {
            "ix" => new Expression(new Operand(left), new PlainName("["), right, new PlainName("]")),

            // Else it would read as the end of a list.
            "gt" => new Expression(new PlainName("("), new Operand(left), new PlainName(sign), new Operand(right), new PlainName(")")),
            _ => new Expression(new Operand(left), new PlainName(sign), new Operand(right)),
        };

        MangledPart? Right() => letters is "dt" or "pt" && Next is >= '0' and <= '9' ? UnresolvedName() : Expression();
    }

    private Expression? Choice() =>
        Expression() is { } condition && Expression() is { } one && Expression() is { } other
            ? new Expression(new Operand(condition), new PlainName("?"), new Operand(one), new PlainName(" : "), new Operand(other))
            : null;

    private Expression? Step(string letters)
    {
        bool isBefore = Take('_');
        PlainName sign = new(letters == "pp" ? "++" : "--");
        return Expression() is not { } operand ? null
            : isBefore ? new Expression(sign, new Operand(operand))
            : new Expression(new Operand(operand), sign);
    }

    private Expression? Conversion()
    {
        if (Type() is not { } type)
        {
            return null;
        }

        if (Take('_'))
        {
            return List('E') is { } values ? new Expression(new PlainName("("), type, new PlainName(")"), new ExpressionList('(', values, ')')) : null;
        }

        return Expression() is { } operand ? new Expression(new PlainName("("), type, new PlainName(")"), new Operand(operand)) : null;
    }

    private Expression? Cast(string letters)
    {
        string word = letters switch { "dc" => "dynamic_cast", "sc" => "static_cast", "cc" => "const_cast", _ => "reinterpret_cast" };
        return Type() is { } type && Expression() is { } operand
            ? new Expression(new PlainName(word + "<"), type, new PlainName(">("), operand, new PlainName(")"))
            : null;
    }

    private Expression? Call()
    {
        if (Expression() is not { } called || List('E') is not { } values)
        {
            return null;
        }

        MangledPart name = called is FunctionPart function ? function.Name : called;
        return new Expression(new Operand(name), new ExpressionList('(', values, ')'));
    }

    private Expression? Allocation(bool isArray)
    {
        if (List('_') is not { } placement || Type() is not { } type)
        {
            return null;
        }

        ExpressionList? values = null;
        if (!Take('E'))
        {
            if (!Take("pi") || List('E') is not { } initial)
            {
                return null;
            }

            values = new ExpressionList('(', initial, ')');
        }

        PlainName word = new(isArray ? "new[] " : "new ");
        MangledPart[] place = placement.IsEmpty ? [word] : [word, new ExpressionList('(', placement, ')'), new PlainName(" ")];
        return new Expression([.. place, type, .. (MangledPart[])(values is null ? [] : [values])]);
    }
}
