using System.Collections.Immutable;

namespace Dump.Model.Mangling;

/// <summary>A name, or another word, as it is written.</summary>
internal sealed class PlainName(string name, bool isSimple = true) : MangledPart
{
    public string Name => name;

    public override bool IsSimple => isSimple;

    public override void Left(MangledText text) => text.Append(name);
}

/// <summary>An abbreviation of the standard library; its constructors have the name of the template that it stands for.</summary>
internal sealed class StandardName(string name, string template) : MangledPart
{
    public string Template => template;

    public override void Left(MangledText text) => text.Append(name);
}

/// <summary>A name in a class or namespace.</summary>
internal sealed class QualifiedName(MangledPart scope, MangledPart name) : MangledPart
{
    public MangledPart Name => name;

    public override IEnumerable<MangledPart> Parts => [scope, name];

    public override bool IsSimple => true;

    public override void Left(MangledText text)
    {
        text.Print(scope);
        text.Append("::");
        text.Print(name);
    }
}

/// <summary>A name in a function.</summary>
internal sealed class LocalName(MangledPart function, MangledPart name) : MangledPart
{
    public MangledPart Name => name;

    public override IEnumerable<MangledPart> Parts => [function, name];

    /// <summary>The same function with another name in it.</summary>
    public LocalName WithName(MangledPart other) => new(function, other);

    public override void Left(MangledText text)
    {
        text.Print(function);
        text.Append("::");
        text.Print(name);
    }
}

/// <summary>A template with arguments.</summary>
internal sealed class TemplateName(MangledPart name, ImmutableArray<MangledPart> arguments) : MangledPart
{
    public MangledPart Name => name;

    public ImmutableArray<MangledPart> Arguments => arguments;

    public override IEnumerable<MangledPart> Parts => [name, .. arguments];

    public override void Left(MangledText text)
    {
        TemplateScope? scope = text.Templates;

        // The type of a conversion operator is named by arguments that follow it.
        text.Templates = FunctionParts.IsConversion(name) ? new TemplateScope(this, scope) : scope;
        text.Print(name);
        text.Templates = scope;
        text.List('<', arguments, '>');
    }
}

/// <summary>A constructor or destructor of what was named before it.</summary>
internal sealed class ConstructorName(MangledPart of, bool isDestructor) : MangledPart
{
    public override void Left(MangledText text)
    {
        text.Append(isDestructor ? "~" : "");
        text.Print(of);
    }
}

/// <summary>An operator that converts to a type.</summary>
internal sealed class ConversionName(MangledPart type) : MangledPart
{
    public override IEnumerable<MangledPart> Parts => [type];

    public override void Left(MangledText text)
    {
        text.Append("operator ");
        text.Print(type);
    }
}

/// <summary>A name with an ABI tag.</summary>
internal sealed class TaggedName(MangledPart name, string tag) : MangledPart
{
    public MangledPart Name => name;

    public override IEnumerable<MangledPart> Parts => [name];

    public override void Left(MangledText text)
    {
        text.Print(name);
        text.Append($"[abi:{tag}]");
    }
}

/// <summary>A lambda, by its parameters and its number in its function.</summary>
/// <param name="declared">The parameters of its own template, declared.</param>
/// <param name="names">The names that they get.</param>
/// <param name="parameters">Its parameters.</param>
/// <param name="number">Its number, from 0.</param>
internal sealed class LambdaName(
    ImmutableArray<MangledPart> declared, ImmutableArray<string> names, ImmutableArray<MangledPart> parameters, int number) : MangledPart
{
    public override void Left(MangledText text)
    {
        IReadOnlyList<string>? outer = text.LambdaNames;
        text.Append("{lambda");
        text.LambdaNames = names;
        if (!declared.IsEmpty)
        {
            text.List('<', declared, '>');
        }

        text.List('(', parameters, ')');
        text.LambdaNames = outer;
        text.Append($"#{number + 1}}}");
    }
}

/// <summary>Words before a name: of a table or a thunk.</summary>
internal sealed class PrefixedName(string words, MangledPart name, string separator = "", MangledPart? other = null) : MangledPart
{
    public override void Left(MangledText text)
    {
        text.Append(words);
        text.Print(name);
        if (other is not null)
        {
            text.Append(separator);
            text.Print(other);
        }
    }
}
