using System.Collections.Immutable;
using System.Globalization;
using System.Text.RegularExpressions;

namespace Dump.Model.Facts;

/// <summary>A runtime other than .NET whose programs' functions stand on no native stack, and the tools that show them.</summary>
/// <param name="Name">Its name, without a version.</param>
/// <param name="OfProcess">What shows the stacks of a living process; {0} stands for its id.</param>
/// <param name="OfCore">What shows those of a core.</param>
public sealed partial record OtherRuntime(string Name, string OfProcess, string OfCore)
{
    /// <summary>The usual interpreter of Python.</summary>
    public const string CPython = "CPython";

    private const string Version = "v";

    private static readonly ImmutableArray<(OtherRuntime Runtime, Regex Module)> s_known =
    [
        (new(CPython, "py-spy dump --pid {0} --native", "pystack core CORE python3"), Python()),
        (new("the Java virtual machine", "jstack -l {0}, or jcmd {0} Thread.print -l", "jhsdb jstack --mixed --exe java --core CORE"), Java()),
        (new("Node.js", "kill -USR1 {0}, then node inspect -p {0}; a program started with --report-on-signal writes its stacks on SIGUSR2",
            "llnode node -c CORE, then v8 bt"), Node()),
        (new("PHP", "phpspy -p {0}", "gdb with the .gdbinit of PHP's source: zbacktrace"), Php()),
        (new("Ruby", "rbspy dump --pid {0}", "gdb with Ruby's .gdbinit: rb_ps"), Ruby()),
    ];

    /// <summary>The runtime that a process runs and its version, as far as its name tells: <c>CPython 3.11</c>; null for none of them.</summary>
    /// <param name="modules">File names of the process' modules.</param>
    public static string? In(IEnumerable<string> modules)
    {
        foreach (string module in modules)
        {
            foreach ((OtherRuntime runtime, Regex name) in s_known)
            {
                if (name.Match(module) is { Success: true } match)
                {
                    return match.Groups[Version].Success ? string.Create(CultureInfo.InvariantCulture, $"{runtime.Name} {match.Groups[Version].Value}") : runtime.Name;
                }
            }
        }

        return null;
    }

    /// <summary>The runtime of a name with its version; null for none of them.</summary>
    /// <param name="name">What <see cref="In"/> gave.</param>
    public static OtherRuntime? Named(string? name) =>
        name is null ? null : s_known.Select(k => k.Runtime).FirstOrDefault(r => name == r.Name || name.StartsWith(r.Name + " ", StringComparison.Ordinal));

    // The program itself, where the library is linked into it, or the library.
    [GeneratedRegex(@"^(?:lib)?python(?<v>3\.\d+)(?:\.so(?:\.[\d.]+)?)?$")]
    private static partial Regex Python();

    [GeneratedRegex(@"^libjvm\.so$")]
    private static partial Regex Java();

    [GeneratedRegex(@"^(?:node|nodejs|libnode\.so\.\d+)$")]
    private static partial Regex Node();

    [GeneratedRegex(@"^(?:php(?:-fpm|-cgi)?(?<v>\d\.\d+)?|libphp(?<v>\d\.\d+)?\.so)$")]
    private static partial Regex Php();

    [GeneratedRegex(@"^(?:ruby(?<v>\d\.\d+)?|libruby-?(?<v>\d\.\d+)?\.so(?:\.[\d.]+)?)$")]
    private static partial Regex Ruby();
}
