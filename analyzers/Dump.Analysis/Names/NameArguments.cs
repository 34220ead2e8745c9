using System.Text;

namespace Dump.Analysis.Names;

/// <summary>Takes arguments out of names: template and generic arguments, parameters, what stands in square brackets.</summary>
internal static class NameArguments
{
    private const string Scope = "::";
    private const string Implements = " as ";
    private const string Word = "operator";

    /// <summary>The longer ones first: they begin like the others.</summary>
    private static readonly string[] s_operators = ["<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "()", "[]", "<", ">"];

    /// <summary>
    /// The name without them. Of Rust's names that begin with a type in angle brackets the type stays, with the trait: <c>&lt;Queue as Sell&gt;::sell</c>.
    /// </summary>
    public static string Removed(string name)
    {
        StringBuilder text = new(name.Length);
        Stack<char> open = new();
        int start = name.StartsWith('<') ? Implementation(name, text) : 0;
        for (int i = start; i < name.Length; i++)
        {
            char letter = name[i];
            if (Operator(name, i) is { } symbol)
            {
                text.Append(open.Count == 0 ? symbol : "");
                i += symbol.Length - 1;
            }
            else if ((letter == '<' && (open.Count == 0 || !IsComparison(name, i))) || letter == '[' || (letter == '(' && (open.Count > 0 || !IsKept(name, i))))
            {
                if (open.Count == 0 && letter == '<')
                {
                    Begin(name, i, text);
                }

                open.Push(letter);
            }
            else if (open.Count > 0)
            {
                Close(name, i, open);
            }
            else
            {
                text.Append(letter);
            }
        }

        // Of member functions, also of those that others stand in.
        string shortened = text.Replace(" const::", Scope).ToString();
        return shortened.EndsWith(" const", StringComparison.Ordinal) ? shortened[..^6] : shortened;
    }

    /// <summary>
    /// An angle bracket that begins a name: of a lambda of MSVC it is part of the name; Rust's arguments behind a scope (<c>f::&lt;u8&gt;</c>) go with it.
    /// </summary>
    private static void Begin(string name, int at, StringBuilder text)
    {
        if (text.Length > 0 && text[^1] is not (':' or '.' or '+'))
        {
            return;
        }

        if (name.AsSpan(at).StartsWith("<lambda"))
        {
            text.Append("lambda");
        }
        else if (text.Length > Scope.Length && text[^1] == ':' && text[^2] == ':')
        {
            text.Length -= Scope.Length;
        }
    }

    /// <summary>Takes a closing bracket, with those that were left open in it; what closes nothing is an operator.</summary>
    private static void Close(string name, int at, Stack<char> open)
    {
        char closed = name[at] switch { '>' when !IsComparison(name, at) => '<', ')' => '(', ']' => '[', _ => '\0' };
        if (closed == '\0' || !open.Contains(closed) || (closed == '<' && open.Peek() != '<'))
        {
            return;
        }

        while (open.Pop() != closed)
        {
        }
    }

    /// <summary>True for an angle bracket between operands in parentheses, and for that of an arrow.</summary>
    private static bool IsComparison(string name, int at)
    {
        char before = at > 0 ? name[at - 1] : '\0', after = at + 1 < name.Length ? name[at + 1] : '\0';
        return name[at] == '<'
            ? (before == ')' && !name.AsSpan(0, at).EndsWith("operator()")) || (before == '<' && at > 1 && name[at - 2] == ')')
            : before == '-' || (before == ')' && after == '>' && at + 2 < name.Length && name[at + 2] == '(')
                || (before == '>' && after == '(' && at > 1 && name[at - 2] == ')');
    }

    /// <summary>A type in angle brackets that a name of Rust begins with; gives where the name goes on.</summary>
    private static int Implementation(string name, StringBuilder text)
    {
        int depth = 0, trait = -1, end = 0;
        for (; end < name.Length; end++)
        {
            depth += name[end] switch { '<' => 1, '>' when !IsComparison(name, end) => -1, _ => 0 };
            trait = depth == 1 && trait < 0 && name.AsSpan(end).StartsWith(Implements) ? end : trait;
            if (depth == 0)
            {
                break;
            }
        }

        if (depth != 0 || !name.AsSpan(end + 1).StartsWith(Scope))
        {
            return 0;
        }

        string type = Removed(name[1..(trait < 0 ? end : trait)]);
        if (trait >= 0)
        {
            text.Append($"<{(type.Length == 0 ? "_" : type)}{Implements}{Removed(name[(trait + Implements.Length)..end])}>");
            return end + 1;
        }

        text.Append(type);
        return end + 1 + (type.Length == 0 ? Scope.Length : 0);
    }

    /// <summary>The symbol of an operator function whose name has brackets in it, where the word stands before it; else null.</summary>
    private static string? Operator(string name, int at)
    {
        int start = at - Word.Length;
        if (name[at] is not ('<' or '>' or '(' or '[' or '-') || start < 0 || !name.AsSpan(start).StartsWith(Word)
            || (start > 0 && (char.IsLetterOrDigit(name[start - 1]) || name[start - 1] == '_')))
        {
            return null;
        }

        foreach (string symbol in s_operators)
        {
            if (name.AsSpan(at).StartsWith(symbol))
            {
                return symbol;
            }
        }

        return null;
    }

    /// <summary>True for a parenthesis that names something: an anonymous namespace.</summary>
    private static bool IsKept(string name, int at) => name.AsSpan(at).StartsWith("(anonymous");
}
