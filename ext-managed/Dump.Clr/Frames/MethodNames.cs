using System.Text.RegularExpressions;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>Names managed methods as their authors wrote them: <c>MyService.LoadAsync</c> instead of <c>MyService+&lt;LoadAsync&gt;d__3.MoveNext</c>.</summary>
internal static partial class MethodNames
{
    private const int LongestName = 512;

    // The method that the compiler makes of a file's top-level statements.
    private const string TopLevel = "<Main>$";

    // What the data-access library says for a method whose module's metadata it cannot read.
    private const string Unknown = "{error}";

    /// <summary>The name of a method with its type, or null when the metadata that has it is not in the dump.</summary>
    public static string? Of(ClrMethod method) =>
        method.Name is not { Length: > 0 } name || name == Unknown ? null : SafeText.Clean(Of(TypeNames.Of(method.Type) ?? "", name), LongestName);

    /// <summary>The name from a type name and a method name as the metadata have them.</summary>
    /// <param name="type">Full type name; <c>+</c> separates nested types.</param>
    /// <param name="name">Method name.</param>
    public static string Of(string type, string name)
    {
        // A state machine's type carries the name of the method that it implements: the compiler calls it "<Method>d__N".
        if (name == "MoveNext" && StateMachine().Match(type) is { Success: true } machine)
        {
            return OfMethod(machine.Groups["outer"].Value, machine.Groups["method"].Value);
        }

        return OfMethod(type, name);
    }

    private static string OfMethod(string type, string name)
    {
        // A lambda or local function: "<Method>b__N_M" or "<Method>g__Local|N_M", on the class itself or on a closure class "<>c" or "<>c__DisplayClassN_M".
        string outer = Closure().Replace(type, "");
        if (Lambda().Match(name) is { Success: true } lambda)
        {
            string inner = lambda.Groups["local"] is { Success: true, Value: { Length: > 0 } local } ? local : "lambda";
            return Join(outer, $"{lambda.Groups["method"].Value}.{inner}");
        }

        return Join(type, name == TopLevel ? "Main" : name);
    }

    private static string Join(string type, string name)
    {
        string readable = type.Replace('+', '.').Replace("System.__Canon", "__Canon", StringComparison.Ordinal);
        return readable.Length == 0 ? name : $"{readable}.{name}";
    }

    [GeneratedRegex(@"^(?<outer>.*?)\+<(?<method>[^<>]+|<<?[^<>]*>\$?>?[bg]__[^<>+]+|<Main>\$)>d(__\d+)?(`\d+|<.*>)?$", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex StateMachine();

    [GeneratedRegex(@"\+<>c(__DisplayClass\d+_\d+)?(`\d+|<.*>)?$", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex Closure();

    [GeneratedRegex(@"^<(<(?<method>Main)>\$|(?<method>[^<>]*))>(b__[\d_]+|g__(?<local>[^|]+)\|[\d_]+)$", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex Lambda();
}
