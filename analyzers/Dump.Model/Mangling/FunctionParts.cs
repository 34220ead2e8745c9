namespace Dump.Model.Mangling;

/// <summary>A member function's name, with what qualifies its object.</summary>
internal sealed class MemberName(MangledPart name, string qualifiers) : MangledPart
{
    public MangledPart Name => name;

    public string Qualifiers => qualifiers;

    public override IEnumerable<MangledPart> Parts => [name];

    public override void Left(MangledText text)
    {
        text.Print(name);
        text.Append(qualifiers);
    }
}

/// <summary>A function with its parameters, as it stands inside of other names.</summary>
internal sealed class FunctionPart(MangledPart name, FunctionType type, bool isReturning) : MangledPart
{
    public MangledPart Name => FunctionParts.Unqualified(name);

    /// <summary>True for a name in a class or namespace, of a function that does not qualify its object.</summary>
    public bool IsQualified => name is QualifiedName;

    public override IEnumerable<MangledPart> Parts => [name, type];

    public override void Left(MangledText text) => Print(text, isReturning);

    /// <summary>Prints it; what it returns only where that is asked for and mangled.</summary>
    public void Print(MangledText text, bool withResult)
    {
        TemplateScope? outer = text.Templates;
        text.Templates = FunctionParts.TemplateOf(name) is { } template ? new TemplateScope(template, outer) : outer;
        if (withResult && type.Result is { } result)
        {
            text.Left(result);
            text.Append(' ');
        }

        string qualifiers = FunctionParts.QualifiersOf(name);
        PrintName(text, outer);
        text.List('(', type.Parameters, ')');
        if (withResult && type.Result is { } returned)
        {
            text.Right(returned);
        }

        text.Append(qualifiers);
        text.Templates = outer;
    }

    private void PrintName(MangledText text, TemplateScope? outer)
    {
        TemplateScope? inner = text.Templates;
        text.Templates = outer;
        text.Print(FunctionParts.Unqualified(name));
        text.Templates = inner;
    }
}

/// <summary>What a name says of its function.</summary>
internal static class FunctionParts
{
    /// <summary>The name without what qualifies the function's object.</summary>
    public static MangledPart Unqualified(MangledPart name) => name switch
    {
        MemberName member => member.Name,
        LocalName { Name: MemberName member } local => local.WithName(member.Name),
        _ => name,
    };

    /// <summary>What qualifies the function's object, with a space before each word.</summary>
    public static string QualifiersOf(MangledPart name) => name switch
    {
        MemberName member => member.Qualifiers,
        LocalName local => QualifiersOf(local.Name),
        _ => "",
    };

    /// <summary>The template that the function itself is an instance of, or null.</summary>
    public static TemplateName? TemplateOf(MangledPart name) => name switch
    {
        TemplateName template => template,
        MemberName member => TemplateOf(member.Name),
        LocalName local => TemplateOf(local.Name),
        _ => null,
    };

    /// <summary>True where the type of such a function begins with what it returns.</summary>
    public static bool HasResult(MangledPart name) => TemplateOf(name) is { Name: var inner } && !IsConversion(inner) && !IsConstructor(inner);

    /// <summary>True for an operator that converts to a type.</summary>
    public static bool IsConversion(MangledPart name) => Innermost(name) is ConversionName;

    private static bool IsConstructor(MangledPart name) => Innermost(name) is ConstructorName;

    private static MangledPart Innermost(MangledPart name)
    {
        while (true)
        {
            switch (name)
            {
                case QualifiedName qualified:
                    name = qualified.Name;
                    break;
                case LocalName local:
                    name = local.Name;
                    break;
                case TaggedName tagged:
                    name = tagged.Name;
                    break;
                default:
                    return name;
            }
        }
    }
}
