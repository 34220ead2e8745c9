using System.Collections.Immutable;

namespace Dump.Model.Mangling;

/// <summary>A type with a word behind it: <c>int const</c>.</summary>
internal sealed class QualifiedType(MangledPart type, string word) : MangledPart
{
    public override IEnumerable<MangledPart> Parts => [type];

    public override void Left(MangledText text)
    {
        text.Left(type);
        text.Append(word);
    }

    public override void Right(MangledText text) => text.Right(type);

    public override DeclaratorShape Shape(MangledText text) => type.Shape(text);
}

/// <summary>A pointer or a reference.</summary>
internal sealed class PointerType(MangledPart target, string sign) : MangledPart
{
    private const string Reference = "&";

    public override IEnumerable<MangledPart> Parts => [target];

    private bool IsReference => sign[0] == '&';

    public override void Left(MangledText text)
    {
        (MangledPart pointed, string shown, TemplateScope? scope) = Collapsed(text);
        TemplateScope? outer = text.Templates;
        text.Templates = scope;
        text.Left(pointed);
        text.Append(pointed.Shape(text) switch { DeclaratorShape.Array => " (", DeclaratorShape.Function => "(", _ => "" });
        text.Append(shown);
        text.Templates = outer;
    }

    public override void Right(MangledText text)
    {
        (MangledPart pointed, _, TemplateScope? scope) = Collapsed(text);
        TemplateScope? outer = text.Templates;
        text.Templates = scope;
        text.Append(pointed.Shape(text) is DeclaratorShape.Array or DeclaratorShape.Function ? ")" : "");
        text.Right(pointed);
        text.Templates = outer;
    }

    public override DeclaratorShape Shape(MangledText text)
    {
        DeclaratorShape shape = DeclaratorShape.Plain;
        if (text.TryEnter())
        {
            (MangledPart pointed, _, TemplateScope? scope) = Collapsed(text);
            TemplateScope? outer = text.Templates;
            text.Templates = scope;
            shape = pointed.Shape(text) == DeclaratorShape.Plain ? DeclaratorShape.Plain : DeclaratorShape.Open;
            text.Templates = outer;
            text.Leave();
        }

        return shape;
    }

    /// <summary>A reference to a reference is a reference, to an rvalue only where both are.</summary>
    private (MangledPart Pointed, string Sign, TemplateScope? Scope) Collapsed(MangledText text) =>
        IsReference && !text.IsInLambda && target is TemplateParameter parameter && parameter.Argument(text) is { } argument
            && argument is PointerType { IsReference: true } inner
            ? inner.Collapsed(text, sign, text.Templates!.Outer)
            : (target, sign, text.Templates);

    private (MangledPart Pointed, string Sign, TemplateScope? Scope) Collapsed(MangledText text, string outerSign, TemplateScope? scope)
    {
        TemplateScope? before = text.Templates;
        text.Templates = scope;
        (MangledPart pointed, string inner, TemplateScope? found) = Collapsed(text);
        text.Templates = before;
        return (pointed, inner == Reference || outerSign == Reference ? Reference : "&&", found);
    }
}

/// <summary>A pointer to a member of a class.</summary>
internal sealed class MemberPointer(MangledPart of, MangledPart member) : MangledPart
{
    public override IEnumerable<MangledPart> Parts => [of, member];

    public override void Left(MangledText text)
    {
        text.Left(member);
        text.Append(member.Shape(text) switch { DeclaratorShape.Array => " (", DeclaratorShape.Function => "(", _ => " " });
        text.Print(of);
        text.Append("::*");
    }

    public override void Right(MangledText text)
    {
        text.Append(member.Shape(text) is DeclaratorShape.Array or DeclaratorShape.Function ? ")" : "");
        text.Right(member);
    }

    public override DeclaratorShape Shape(MangledText text) =>
        member.Shape(text) == DeclaratorShape.Plain ? DeclaratorShape.Plain : DeclaratorShape.Open;
}

/// <summary>A function's type.</summary>
internal sealed class FunctionType(MangledPart? result, ImmutableArray<MangledPart> parameters, string qualifiers) : MangledPart
{
    public MangledPart? Result => result;

    public ImmutableArray<MangledPart> Parameters => parameters;

    public override IEnumerable<MangledPart> Parts => result is null ? parameters : [result, .. parameters];

    public override void Left(MangledText text)
    {
        if (result is not null)
        {
            text.Left(result);
            text.Append(result.Shape(text) == DeclaratorShape.Open ? "" : " ");
        }
    }

    public override void Right(MangledText text)
    {
        text.List('(', parameters, ')');
        if (result is not null)
        {
            text.Right(result);
        }

        text.Append(qualifiers);
    }

    public override DeclaratorShape Shape(MangledText text) => DeclaratorShape.Function;
}

/// <summary>An array.</summary>
internal sealed class ArrayType(MangledPart element, MangledPart? extent) : MangledPart
{
    public override IEnumerable<MangledPart> Parts => extent is null ? [element] : [element, extent];

    public override void Left(MangledText text) => text.Left(element);

    public override void Right(MangledText text)
    {
        text.Append(text.Last == ']' ? "[" : " [");
        if (extent is not null)
        {
            text.Print(extent);
        }

        text.Append(']');
        text.Right(element);
    }

    public override DeclaratorShape Shape(MangledText text) => DeclaratorShape.Array;
}
