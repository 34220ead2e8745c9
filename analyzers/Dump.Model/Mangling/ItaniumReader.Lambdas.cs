using System.Collections.Immutable;

namespace Dump.Model.Mangling;

/// <content>Lambdas and types without name.</content>
internal sealed partial class ItaniumReader
{
    private MangledPart? Unnamed()
    {
        _at++;
        if (Take('t'))
        {
            return Ordinal() is { } number ? Added(new PlainName($"{{unnamed type#{number + 1}}}")) : null;
        }

        ImmutableArray<string>.Builder names = ImmutableArray.CreateBuilder<string>();
        return Take('l') && Declarations(names) is { } declared && Parameters() is { } parameters && Take('E') && Ordinal() is { } lambda
            ? new LambdaName(declared, names.ToImmutable(), parameters, lambda)
            : null;
    }

    /// <summary>The parameters of a lambda's own template. They have no names in the text.</summary>
    /// <param name="names">Gets the names that they are given; null where they stay without.</param>
    private ImmutableArray<MangledPart>? Declarations(ImmutableArray<string>.Builder? names)
    {
        ImmutableArray<MangledPart>.Builder declared = ImmutableArray.CreateBuilder<MangledPart>();
        while (Next == 'T' && At(1) is 'y' or 'n' or 't' or 'p')
        {
            bool isPack = Take("Tp");
            if (!isPack || Next == 'T')
            {
                if (Declaration(isPack, names) is not { } one)
                {
                    return null;
                }

                declared.Add(one);
            }
        }

        return declared.ToImmutable();
    }

    private Expression? Declaration(bool isPack, ImmutableArray<string>.Builder? names)
    {
        char kind = At(1);
        _at += 2;
        string name = names is null ? "" : $"${kind switch { 'y' => "T", 'n' => "N", _ => "TT" }}{names.Count}";
        string dots = (isPack ? "..." : "") + (name.Length > 0 ? " " : "");
        names?.Add(name);
        switch (kind)
        {
            case 'y':
                return new Expression(new PlainName("typename" + dots + name));
            case 'n':
                return Type() is { } type ? new Expression(type, new PlainName(dots + name)) : null;
            case 't' when TryEnter():
                ImmutableArray<MangledPart>? inner = Declarations(null);
                _depth--;
                return inner is { } parts && Take('E')
                    ? new Expression(new PlainName("template"), new ExpressionList('<', parts, '>'), new PlainName($" class{dots}{name}"))
                    : null;
            default:
                return null;
        }
    }
}
