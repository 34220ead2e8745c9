using System.Collections.Immutable;

namespace Dump.Model.Mangling;

/// <summary>An expression as the parts that it is written with.</summary>
internal sealed class Expression(params ImmutableArray<MangledPart> parts) : MangledPart
{
    public override IEnumerable<MangledPart> Parts => parts;

    public override void Left(MangledText text)
    {
        foreach (MangledPart part in parts)
        {
            text.Print(part);
        }
    }
}

/// <summary>An operand: in parentheses unless it is a name.</summary>
internal sealed class Operand(MangledPart part) : MangledPart
{
    public override IEnumerable<MangledPart> Parts => [part];

    public override void Left(MangledText text)
    {
        text.Append(part.IsSimple ? "" : "(");
        text.Print(part);
        text.Append(part.IsSimple ? "" : ")");
    }
}

/// <summary>Several expressions in brackets.</summary>
internal sealed class ExpressionList(char open, ImmutableArray<MangledPart> parts, char close) : MangledPart
{
    public override IEnumerable<MangledPart> Parts => parts;

    public override bool IsSimple => open == '{';

    public override void Left(MangledText text) => text.List(open, parts, close);
}

/// <summary>Number of elements in a pack.</summary>
internal sealed class PackSize(MangledPart part) : MangledPart
{
    public override IEnumerable<MangledPart> Parts => [part];

    public override void Left(MangledText text)
    {
        if (part is TemplateParameter parameter && parameter.Whole(text) is Pack pack)
        {
            text.Append(pack.Elements.Length.ToString(System.Globalization.CultureInfo.InvariantCulture));
        }
        else
        {
            text.Append("sizeof...");
            new Operand(part).Left(text);
        }
    }
}

/// <summary>A number, truth value or other constant of a type.</summary>
internal sealed class Literal(MangledPart type, string value) : MangledPart
{
    public override IEnumerable<MangledPart> Parts => [type];

    public override void Left(MangledText text)
    {
        string? name = (type as PlainName)?.Name;
        string? suffix = name switch
        {
            "int" => "",
            "unsigned int" => "u",
            "long" => "l",
            "unsigned long" => "ul",
            "long long" => "ll",
            "unsigned long long" => "ull",
            _ => null,
        };
        if (suffix is not null || (name == "bool" && value is "0" or "1"))
        {
            text.Append(suffix is not null ? value + suffix : value == "1" ? "true" : "false");
            return;
        }

        text.Append('(');
        text.Print(type);
        text.Append(name is "float" or "double" or "long double" or "__float128" ? $")[{value}]" : ")" + value);
    }
}
