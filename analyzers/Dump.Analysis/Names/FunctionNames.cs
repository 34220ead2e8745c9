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

    /// <summary>The name as its author wrote it, or null when it is none: an address, or one that a disassembler made up.</summary>
    /// <param name="name">Name of a native or managed function.</param>
    public static string? Normal(string name)
    {
        string text = MangledNames.Readable(name) ?? Undecorated(name.Length > LongestName ? name[..LongestName] : name);
        text = Managed(text);
        text = Lambda().Replace(Suffix().Replace(NameArguments.Removed(text), ""), "${word}");
        text = ClangLambda().Replace(text, "lambda");
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

    // Clones of GCC and LLVM, exception funclets of MSVC, Rust's hashes.
    [GeneratedRegex(
        @"((\.(isra|constprop|part|cold|llvm|lto_priv|localalias|clone)(\.\d+)*)+|@plt|\$(fin|filt|catch|dtor)\$\d+|`?\$?\d*::?dtor\$\d+"
            + @"|::h[0-9a-f]{16})$", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex Suffix();

    // Lambdas of GCC and Clang, closures of Rust in both of its schemes, types without name: by number.
    [GeneratedRegex(@"\{+(?<word>lambda|closure|unnamed type)(#\d+)?\}+", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex Lambda();

    // Clang numbers the lambdas of a file in the order in which it gets to them, which is another one with optimization: main::$_2::operator().
    [GeneratedRegex(@"(?<=::)\$_\d+(?=::|$)", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex ClangLambda();

    // A word like "facade" is no address: one has a digit.
    [GeneratedRegex(@"^0x[0-9a-fA-F]{6,16}$|^(?=[a-fA-F]*\d)[0-9a-fA-F]{6,16}$|^(sub|FUN|loc|unknown)_[0-9a-fA-F]+$", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex MadeUp();
}
