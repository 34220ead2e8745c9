using System.Collections.Frozen;
using System.Text.RegularExpressions;
using Dump.Analysis.Knowledge;

namespace Dump.Analysis.Names;

/// <summary>Module names without what differs between systems and builds, and which of them carry a program's code instead of being it.</summary>
public static partial class ModuleNames
{
    // kernel32 forwards to kernelbase and that calls ntdll: which of them a stack shows differs by version, bitness and optimisation.
    private static readonly FrozenSet<string> s_base = FrozenSet.Create(StringComparer.Ordinal, "ntdll", "kernel32", "kernelbase", "wow64", "wow64cpu",
        "wow64win");

    private static readonly FrozenSet<string> s_linux = FrozenSet.Create(
        StringComparer.Ordinal, "c", "libc", "pthread", "m", "rt", "dl", "ld-linux-x86-64", "ld-linux-aarch64", "ld-musl-x86_64", "stdc++", "gcc_s", "c++",
        "coreclr", "clrjit", "clrgc", "hostfxr", "hostpolicy", "icuuc", "icui18n",
        "ssl", "crypto", "linux-vdso");

    private static readonly string[] s_managed =
    [
        "system.", "microsoft.aspnetcore.", "microsoft.extensions.", "microsoft.win32.", "microsoft.visualbasic.", "microsoft.csharp", "microsoft.data.",
        "microsoft.entityframeworkcore", "netstandard", "mscorlib", "xunit.", "nunit.", "microsoft.testplatform.", "microsoft.visualstudio.testplatform.",
    ];

    /// <summary>The system calls' side of Windows, as one.</summary>
    public const string WindowsBase = "windows";

    /// <summary>
    /// The name in lower case without directory, extension, version number behind it and, for a shared object of Linux, <c>lib</c> before it:
    /// <c>libfoo.so.1.2</c> and <c>Foo.dll</c> are both <c>foo</c>.
    /// </summary>
    public static string Normal(string file)
    {
        string name = file[(file.LastIndexOfAny(['/', '\\']) + 1)..].ToLowerInvariant();
        int so = name.IndexOf(".so", StringComparison.Ordinal);
        if (so > 0 && (so + 3 == name.Length || name[so + 3] == '.'))
        {
            name = name.StartsWith("lib", StringComparison.Ordinal) && so > 3 ? name[3..so] : name[..so];
            return LinuxVersion().Replace(name, "");
        }

        name = Extension().Replace(name, "");
        return s_base.Contains(name) ? WindowsBase : Version().Replace(name, "");
    }

    /// <summary>True for modules of the system, of a runtime or of a framework: what a program calls, and what calls it.</summary>
    /// <param name="normal">The name as <see cref="Normal"/> gives it.</param>
    /// <param name="isWindowsSystem">What a Windows dump says of the module, by where it lies.</param>
    public static bool IsPlatform(string normal, bool isWindowsSystem) =>
        isWindowsSystem || normal == WindowsBase || s_linux.Contains(normal) || FrameworkModules.Contains(normal)
            || s_managed.Any(p => normal.StartsWith(p, StringComparison.Ordinal));

    [GeneratedRegex(@"(\.ni)?\.(dll|exe|ocx|cpl|drv|sys|dylib|scr)$", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex Extension();

    [GeneratedRegex(@"(\.\d+)+$", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex Version();

    [GeneratedRegex(@"-\d+(\.\d+)+$", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex LinuxVersion();
}
