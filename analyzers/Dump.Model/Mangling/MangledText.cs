using System.Text;

namespace Dump.Model.Mangling;

/// <summary>
/// The text that parts of a mangled name are printed to, within limits of length, depth and work: a part may be named many times, also by parts that are named
/// many times. Behind a limit nothing is printed any more and there is no text.
/// </summary>
/// <param name="longestList">Longest list in characters.</param>
internal sealed class MangledText(int longestList)
{
    private const int MostCharacters = 1 << 16;
    private const int MostSteps = 1 << 16;
    private const int Deepest = 256;
    private const string LeftOut = "...";
    private readonly StringBuilder _text = new();
    private int _steps;
    private int _depth;
    private bool _isOver;
    private bool _isBehindComma;

    /// <summary>The templates whose arguments parameters stand for, innermost first.</summary>
    public TemplateScope? Templates { get; set; }

    /// <summary>Which element of a pack is printed; negative outside of pack expansions.</summary>
    public int PackIndex { get; set; } = -1;

    /// <summary>
    /// The names of a lambda's own template parameters while its parameters are printed, else null: those that are <c>auto</c> come behind them.
    /// </summary>
    public IReadOnlyList<string>? LambdaNames { get; set; }

    /// <summary>True while the parameters of a lambda are printed.</summary>
    public bool IsInLambda => LambdaNames is not null;

    /// <summary>False while nothing is printed: of what Rust's names repeat.</summary>
    public bool IsPrinting { get; set; } = true;

    /// <summary>Number of characters.</summary>
    public int Length => _text.Length;

    /// <summary>The last character, or U+0000. Behind a comma that an empty pack has taken back it is a space, as it is for <c>c++filt</c>.</summary>
    public char Last => _text.Length == 0 ? '\0' : _isBehindComma ? ' ' : _text[^1];

    /// <summary>Prints a part into an empty text; null behind a limit.</summary>
    public string? Of(MangledPart part)
    {
        Print(part);
        return Result;
    }

    /// <summary>What has been printed; null behind a limit.</summary>
    public string? Result => _isOver ? null : _text.ToString();

    /// <summary>True while no limit has been reached; counts a step of work and a level of depth, which <see cref="Leave"/> leaves.</summary>
    public bool TryEnter()
    {
        _isOver |= ++_steps > MostSteps || _depth >= Deepest || _text.Length > MostCharacters;
        _depth += _isOver ? 0 : 1;
        return !_isOver;
    }

    /// <summary>Ends what <see cref="TryEnter"/> began.</summary>
    public void Leave() => _depth--;

    /// <summary>Says that there is no text: a part cannot be printed.</summary>
    public void Fail() => _isOver = true;

    /// <summary>Adds text.</summary>
    public void Append(string text)
    {
        _text.Append(IsPrinting ? text : "");
        _isBehindComma &= text.Length == 0;
    }

    /// <summary>Adds a character.</summary>
    public void Append(char character)
    {
        if (IsPrinting)
        {
            _text.Append(character);
            _isBehindComma = false;
        }
    }

    /// <summary>Prints a part.</summary>
    public void Print(MangledPart part)
    {
        Left(part);
        Right(part);
    }

    /// <summary>Prints what of a part stands before the name that it declares.</summary>
    public void Left(MangledPart part)
    {
        if (TryEnter())
        {
            part.Left(this);
            Leave();
        }
    }

    /// <summary>Prints what of a part stands behind the name that it declares.</summary>
    public void Right(MangledPart part)
    {
        if (TryEnter())
        {
            part.Right(this);
            Leave();
        }
    }

    /// <summary>Prints parts with commas between them; an empty pack is none.</summary>
    public void Separated(IEnumerable<MangledPart> parts)
    {
        int start = _text.Length;
        foreach (MangledPart part in parts)
        {
            int before = _text.Length;
            Append(before > start ? ", " : "");
            int begun = _text.Length;
            Print(part);
            _isBehindComma = _text.Length == begun && before > start;
            _text.Length = _text.Length == begun ? before : _text.Length;
            if (_isOver || IsTooLong(start))
            {
                return;
            }
        }
    }

    /// <summary>Prints a list in brackets, shortened if it is long.</summary>
    public void List(char open, IEnumerable<MangledPart> parts, char close)
    {
        // What would read as another operator.
        Append(open == '<' && Last == '<' ? " <" : open.ToString());
        int start = _text.Length;
        Separated(parts);
        End(start, close);
    }

    /// <summary>Ends a list in brackets, shortened if it is long.</summary>
    /// <param name="start">Where it began, behind the bracket.</param>
    /// <param name="close">The bracket that ends it.</param>
    public void End(int start, char close)
    {
        if (IsTooLong(start))
        {
            _text.Length = start;
            Append(LeftOut);
        }

        Append(close == '>' && Last == '>' && IsItanium ? " >" : close.ToString());
    }

    /// <summary>True for a scheme in which two closing brackets stand apart.</summary>
    public bool IsItanium { get; set; } = true;

    /// <summary>True where a list that began there is longer than lists may be.</summary>
    public bool IsTooLong(int start) => _text.Length - start > longestList;
}
