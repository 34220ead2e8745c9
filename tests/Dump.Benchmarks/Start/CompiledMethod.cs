using System.Text.RegularExpressions;

namespace Dump.Benchmarks.Start;

/// <summary>A method that the runtime compiled while the program ran, because no precompiled code of it was there or because it was called often.</summary>
/// <param name="Name">Its name as the runtime prints it: type, colon, method, with type arguments in brackets.</param>
/// <param name="Tier">How it was compiled: <c>Tier0</c>, <c>Tier1</c>, <c>FullOpts</c> and others of the runtime's words.</param>
internal sealed partial record CompiledMethod(string Name, string Tier)
{
    /// <summary>The type without type arguments and array ranks, or the kind of the stub: what instantiations of one generic type have in common.</summary>
    public string Family
    {
        get
        {
            string type = Name.StartsWith("(dynamicClass):", StringComparison.Ordinal) ? Name["(dynamicClass):".Length..] : Name.Split(':')[0];
            return TypeArguments().Replace(type, "").Split('[')[0];
        }
    }

    /// <summary>Reads one line of the runtime's list.</summary>
    /// <param name="line">The line, such as <c>12: JIT compiled A:B() [Tier0, IL size=7, code size=35]</c>.</param>
    /// <returns>The method, or null when the line is none of the list.</returns>
    public static CompiledMethod? Of(string line) =>
        Line().Match(line) is { Success: true } match ? new CompiledMethod(match.Groups["name"].Value, match.Groups["tier"].Value) : null;

    [GeneratedRegex(@"^\s*\d+: JIT compiled (?<name>.+) \[(?<tier>[^,\[\]]+), IL size=\d+, code size=\d+")]
    private static partial Regex Line();

    [GeneratedRegex(@"(?<=`\d+)\[.*$")]
    private static partial Regex TypeArguments();
}
