using System.Collections.Frozen;

namespace Dump.Model.Mangling;

/// <summary>
/// Operators by their two letters (Itanium C++ ABI, "operator encodings"): as they are written, and how many operands they have in an expression. A word before
/// an operand ends in a space.
/// </summary>
internal static class OperatorTable
{
    private static readonly FrozenDictionary<string, (string Text, int Operands)> s_operators = new Dictionary<string, (string, int)>
    {
        ["aN"] = ("&=", 2), ["aS"] = ("=", 2), ["aa"] = ("&&", 2), ["ad"] = ("&", 1), ["an"] = ("&", 2), ["at"] = ("alignof ", 1), ["aw"] = ("co_await ", 1),
        ["az"] = ("alignof ", 1), ["cl"] = ("()", 2), ["cm"] = (",", 2), ["co"] = ("~", 1), ["dV"] = ("/=", 2), ["da"] = ("delete[] ", 1), ["de"] = ("*", 1),
        ["dl"] = ("delete ", 1), ["ds"] = (".*", 2), ["dt"] = (".", 2), ["dv"] = ("/", 2), ["eO"] = ("^=", 2), ["eo"] = ("^", 2), ["eq"] = ("==", 2),
        ["ge"] = (">=", 2), ["gs"] = ("::", 1), ["gt"] = (">", 2), ["ix"] = ("[]", 2), ["lS"] = ("<<=", 2), ["le"] = ("<=", 2), ["ls"] = ("<<", 2),
        ["lt"] = ("<", 2), ["mI"] = ("-=", 2), ["mL"] = ("*=", 2), ["mi"] = ("-", 2), ["ml"] = ("*", 2), ["mm"] = ("--", 1), ["na"] = ("new[]", 3),
        ["ne"] = ("!=", 2), ["ng"] = ("-", 1), ["nt"] = ("!", 1), ["nw"] = ("new", 3), ["nx"] = ("noexcept", 1), ["oR"] = ("|=", 2), ["oo"] = ("||", 2),
        ["or"] = ("|", 2), ["pL"] = ("+=", 2), ["pl"] = ("+", 2), ["pm"] = ("->*", 2), ["pp"] = ("++", 1), ["ps"] = ("+", 1), ["pt"] = ("->", 2),
        ["qu"] = ("?", 3), ["rM"] = ("%=", 2), ["rS"] = (">>=", 2), ["rm"] = ("%", 2), ["rs"] = (">>", 2), ["ss"] = ("<=>", 2), ["st"] = ("sizeof ", 1),
        ["sz"] = ("sizeof ", 1), ["te"] = ("typeid ", 1), ["ti"] = ("typeid ", 1), ["tr"] = ("throw", 0), ["tw"] = ("throw ", 1),
    }.ToFrozenDictionary(StringComparer.Ordinal);

    /// <summary>The operator, or null where there is none of these letters.</summary>
    public static (string Text, int Operands)? Find(string letters) => s_operators.TryGetValue(letters, out (string, int) found) ? found : null;
}
