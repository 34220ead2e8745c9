using System.Collections.Immutable;

namespace Dump.Model.Mangling;

/// <summary>A parameter of a template, printed as the argument that it stands for.</summary>
/// <param name="index">Its index among the arguments.</param>
internal sealed class TemplateParameter(int index) : MangledPart
{
    /// <summary>The argument of the innermost template; of a pack the element that is printed. Null where there is none.</summary>
    public MangledPart? Argument(MangledText text) =>
        Whole(text) is Pack pack ? text.PackIndex < 0 ? pack : pack.Elements.ElementAtOrDefault(text.PackIndex) : Whole(text);

    /// <summary>The argument of the innermost template, which may be a pack.</summary>
    public MangledPart? Whole(MangledText text) => text.Templates?.Template.Arguments.ElementAtOrDefault(index);

    public override void Left(MangledText text)
    {
        if (text.LambdaNames is { } names)
        {
            text.Append(index < names.Count ? names[index] : $"auto:{index + 1}");
        }
        else
        {
            InScopeOf(text, text.Left);
        }
    }

    public override void Right(MangledText text)
    {
        if (!text.IsInLambda)
        {
            InScopeOf(text, text.Right);
        }
    }

    public override DeclaratorShape Shape(MangledText text)
    {
        DeclaratorShape shape = DeclaratorShape.Plain;
        if (!text.IsInLambda && text.TryEnter())
        {
            InScopeOf(text, argument => shape = argument.Shape(text));
            text.Leave();
        }

        return shape;
    }

    /// <summary>The argument was written outside of the template.</summary>
    private void InScopeOf(MangledText text, Action<MangledPart> print)
    {
        if (Argument(text) is not { } argument)
        {
            text.Fail();
            return;
        }

        TemplateScope? scope = text.Templates;
        text.Templates = scope!.Outer;
        print(argument);
        text.Templates = scope;
    }
}

/// <summary>Several arguments for one parameter.</summary>
internal sealed class Pack(ImmutableArray<MangledPart> elements) : MangledPart
{
    public ImmutableArray<MangledPart> Elements => elements;

    public override IEnumerable<MangledPart> Parts => elements;

    public override void Left(MangledText text) => text.Separated(elements);
}

/// <summary>A pattern that is repeated for each element of the packs in it.</summary>
internal sealed class PackExpansion(MangledPart pattern) : MangledPart
{
    public override void Left(MangledText text)
    {
        if (FindPack(pattern, text) is not { } pack)
        {
            new Operand(pattern).Left(text);
            text.Append("...");
            return;
        }

        int outer = text.PackIndex, start = text.Length;
        for (int i = 0; i < pack.Elements.Length && !text.IsTooLong(start); i++)
        {
            text.PackIndex = i;
            text.Append(i > 0 ? ", " : "");
            text.Print(pattern);
        }

        text.PackIndex = outer;
    }

    /// <summary>The first pack that a parameter in the pattern stands for.</summary>
    private static Pack? FindPack(MangledPart part, MangledText text)
    {
        if (part is TemplateParameter parameter)
        {
            return parameter.Whole(text) as Pack;
        }

        Pack? found = null;
        if (part is not PackExpansion and not LambdaName && text.TryEnter())
        {
            foreach (MangledPart inner in part.Parts)
            {
                found ??= FindPack(inner, text);
            }

            text.Leave();
        }

        return found;
    }
}
