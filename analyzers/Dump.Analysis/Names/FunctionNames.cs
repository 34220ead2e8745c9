using System.Text;
using System.Text.RegularExpressions;
using Dump.Model.Mangling;

namespace Dump.Analysis.Names;

/// <summary>
/// Function names without what differs from build to build or from compiler to compiler: generic and template arguments, parameter lists, the ordinals of
/// lambdas, closures, state machines and local functions, decorations of calling conventions, and the suffixes of cloned functions.
/// </summary>
public static partial class FunctionNames
{
    private const int LongestName = 1_024;

    /// <summary>The longer ones first: they begin like the others.</summary>
    private static readonly string[] s_operators = ["<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "()", "[]", "<", ">"];

    /// <summary>The name as its author wrote it, or null when it is none: an address, or one that a disassembler made up.</summary>
    /// <param name="name">Name of a native or managed function.</param>
    public static string? Normal(string name)
    {
        string text = name.Length > LongestName ? name[..LongestName] : name;
        text = MangledNames.Readable(text) ?? Undecorated(text);
        text = Managed(text);
        text = Suffix().Replace(WithoutArguments(text), "");
        text = text.Replace('+', '.').Replace("`anonymous namespace'", "(anonymous)", StringComparison.Ordinal)
            .Replace("anonymous namespace", "anonymous", StringComparison.Ordinal).Trim();
        return text.Length == 0 || MadeUp().IsMatch(text) ? null : text;
    }

    /// <summary>C names of 32-bit x86: <c>_name@8</c> (stdcall) and <c>@name@8</c> (fastcall).</summary>
    private static string Undecorated(string name) => Decorated().Match(name) is { Success: true } match ? match.Groups["name"].Value : name;

    /// <summary>What the C#, Visual Basic and F# compilers make up, as MethodNames of the managed reader says it.</summary>
    private static string Managed(string name)
    {
        string text = VisualBasicStateMachine().Replace(CompilerNames.Undone(name), "${method}");
        text = VisualBasicLambda().Replace(text, ".lambda");
        text = Closure().Replace(text, "");
        return Arity().Replace(text, "");
    }

    /// <summary>Without angle brackets behind a name, square brackets, and the parameters at the end.</summary>
    private static string WithoutArguments(string name)
    {
        StringBuilder text = new(name.Length);
        int depth = 0;
        for (int i = 0; i < name.Length; i++)
        {
            char letter = name[i];
            if (depth == 0 && Operator(text, name.AsSpan(i)) is { } symbol)
            {
                text.Append(symbol);
                i += symbol.Length - 1;
            }
            else if (letter is '<' or '[' || (letter == '(' && !IsKept(name, i)))
            {
                // An angle bracket that begins a name is part of it: <lambda_1>.
                if (depth == 0 && letter == '<' && (text.Length == 0 || text[^1] is ':' or '.' or '+'))
                {
                    text.Append(name.AsSpan(i).StartsWith("<lambda") ? "lambda" : "");
                }

                depth++;
            }
            else if (depth > 0 && (letter is '>' or ']' or ')'))
            {
                depth--;
            }
            else if (depth == 0)
            {
                text.Append(letter);
            }
        }

        string shortened = text.ToString();
        return shortened.EndsWith(" const", StringComparison.Ordinal) ? shortened[..^6] : shortened;
    }

    /// <summary>The symbol of an operator function whose name has brackets in it, where the word stands before it; else null.</summary>
    private static string? Operator(StringBuilder text, ReadOnlySpan<char> rest)
    {
        const string Word = "operator";
        int start = text.Length - Word.Length;
        if (rest[0] is not ('<' or '>' or '(' or '[' or '-') || start < 0 || text.ToString(start, Word.Length) != Word
            || (start > 0 && (char.IsLetterOrDigit(text[start - 1]) || text[start - 1] == '_')))
        {
            return null;
        }

        foreach (string symbol in s_operators)
        {
            if (rest.StartsWith(symbol))
            {
                return symbol;
            }
        }

        return null;
    }

    /// <summary>True for a parenthesis that names something: an anonymous namespace.</summary>
    private static bool IsKept(string name, int at) => name.AsSpan(at).StartsWith("(anonymous");

    [GeneratedRegex(@"^[_@](?<name>[A-Za-z_]\w*)@\d+$", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex Decorated();

    [GeneratedRegex(@"VB\$StateMachine_\d+_(?<method>\w+)(`\d+)?\.MoveNext$", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex VisualBasicStateMachine();

    [GeneratedRegex(@"_Lambda\$__(R?[\d-]+)", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex VisualBasicLambda();

    [GeneratedRegex(@"[+.]<>c(__DisplayClass\d+_\d+)?(`\d+)?(?=[.+]|$)|[+.]_Closure\$__[\d-]*", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex Closure();

    [GeneratedRegex(@"`\d+", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex Arity();

    // Clones of GCC and LLVM, exception funclets of MSVC, Rust's hashes, lambdas by number.
    [GeneratedRegex(
        @"((\.(isra|constprop|part|cold|llvm|lto_priv|localalias|clone)(\.\d+)*)+|@plt|\$(fin|filt|catch|dtor)\$\d+|`?\$?\d*::?dtor\$\d+"
            + @"|::h[0-9a-f]{16}|(?<=::)\$_\d+)$", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex Suffix();

    // A word like "facade" is no address: one has a digit.
    [GeneratedRegex(@"^0x[0-9a-fA-F]{6,16}$|^(?=[a-fA-F]*\d)[0-9a-fA-F]{6,16}$|^(sub|FUN|loc|unknown)_[0-9a-fA-F]+$", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex MadeUp();
}
