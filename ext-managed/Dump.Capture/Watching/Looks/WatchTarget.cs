using System.Globalization;

namespace Dump.Capture.Watching.Looks;

/// <summary>What is watched: one process, or every process of a name, those that start later too.</summary>
/// <param name="Id">Process id, or null.</param>
/// <param name="Name">Name of a program without a directory, or null.</param>
public sealed record WatchTarget(int? Id, string? Name)
{
    private const string Library = ".dll";
    private const string Program = ".exe";

    /// <summary>As people write it.</summary>
    public string Text => Name ?? Id?.ToString(CultureInfo.InvariantCulture) ?? "";

    /// <summary>Reads one: decimal digits are a process id, everything else is a name.</summary>
    /// <returns>Null for what is neither: empty, with a directory, or an id that no process has.</returns>
    public static WatchTarget? Parse(string text) =>
        text.Length > 0 && text.All(char.IsAsciiDigit)
            ? int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int id) && id > 0 ? new WatchTarget(id, null) : null
            : text.Length > 0 && text.AsSpan().IndexOfAny('/', '\\', '\0') < 0 ? new WatchTarget(null, text) : null;

    /// <summary>True for a process that is called so: its program's file, with or without <c>.exe</c>, or the library that <c>dotnet</c> runs.</summary>
    /// <param name="names">What the process may be called: names of files, without directories.</param>
    public bool Matches(params ReadOnlySpan<string?> names)
    {
        foreach (string? name in names)
        {
            if (name is { Length: > 0 } && (IsName(name) || IsWithout(name, Library) || IsWithout(name, Program)))
            {
                return true;
            }
        }

        return false;
    }

    private static StringComparison Comparison => OperatingSystem.IsWindows() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;

    private bool IsName(string name) => string.Equals(name, Name, Comparison);

    private bool IsWithout(string name, string end) => name.EndsWith(end, StringComparison.OrdinalIgnoreCase) && IsName(name[..^end.Length]);
}
