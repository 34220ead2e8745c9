using System.Collections.Immutable;

namespace Dump.Model.Mangling;

/// <content>Parameters and arguments of templates.</content>
internal sealed partial class ItaniumReader
{
    private TemplateParameter? Parameter()
    {
        _at++;
        return Ordinal() is { } index ? new TemplateParameter(index) : null;
    }

    private MangledPart? ParameterType()
    {
        MangledPart? parameter = Added(Parameter());
        if (parameter is null || Next != 'I')
        {
            return parameter;
        }

        // Behind the type of a conversion operator stand the arguments of the operator itself, unless there are others behind them.
        (int at, int known) = (_at, _substitutions.Count);
        bool isConversion = _isInConversion;
        if (TemplateArguments() is not { } arguments)
        {
            return null;
        }

        if (isConversion && Next != 'I')
        {
            _at = at;
            _substitutions.RemoveRange(known, _substitutions.Count - known);
            return parameter;
        }

        return Added(new TemplateName(parameter, arguments));
    }

    /// <summary>Template arguments with the letters around them.</summary>
    private ImmutableArray<MangledPart>? TemplateArguments()
    {
        if (!TryEnter())
        {
            return null;
        }

        // What they name is no class whose constructor may follow.
        (MangledPart? named, bool isConversion) = (_class, _isInConversion);
        _isInConversion = false;
        _at++;
        ImmutableArray<MangledPart>.Builder arguments = ImmutableArray.CreateBuilder<MangledPart>();
        bool isRead = true;
        while (isRead && !Take('E'))
        {
            MangledPart? argument = TemplateArgument();
            isRead = argument is not null;
            arguments.Add(argument!);
        }

        _depth--;
        (_class, _isInConversion) = (named, isConversion);
        return isRead ? arguments.ToImmutable() : null;
    }

    private MangledPart? TemplateArgument()
    {
        switch (Next)
        {
            case 'L':
                return Constant();
            case 'X':
                _at++;
                return Expression() is { } expression && Take('E') ? expression : null;
            case 'I' or 'J':
                return TemplateArguments() is { } elements ? new Pack(elements) : null;
            default:
                return Type();
        }
    }
}
