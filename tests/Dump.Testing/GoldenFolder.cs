using System.Globalization;

namespace Dump.Testing;

/// <summary>
/// Expected texts in files beside the tests. A difference fails with the first line that differs; with <c>UPDATE_GOLDEN=1</c> in the environment the file is
/// written instead, to be read before it is committed.
/// </summary>
/// <param name="path">The folder.</param>
public sealed class GoldenFolder(string path)
{
    /// <summary>Variable that makes comparisons write.</summary>
    public const string UpdateVariable = "UPDATE_GOLDEN";

    private const int MostShown = 200;

    /// <summary>The folder <c>Golden</c> of a test project.</summary>
    public static GoldenFolder Of(string project) => new(System.IO.Path.Combine(Repository.Root, "tests", project, "Golden"));

    /// <summary>The folder.</summary>
    public string Path { get; } = path;

    /// <summary>Names of all files, relative, with forward slashes, ordered.</summary>
    public IReadOnlyList<string> Names => Directory.Exists(Path)
        ? [.. Directory.EnumerateFiles(Path, "*", SearchOption.AllDirectories)
            .Select(f => System.IO.Path.GetRelativePath(Path, f).Replace('\\', '/')).Order(StringComparer.Ordinal)]
        : [];

    /// <summary>Compares a text with a file.</summary>
    /// <param name="name">The file's name, relative to the folder.</param>
    /// <param name="actual">The text, with line feeds.</param>
    /// <exception cref="GoldenMismatchException">The file is missing or differs, and is not to be written.</exception>
    public void Compare(string name, string actual)
    {
        string file = System.IO.Path.Combine(Path, name);
        string? expected = File.Exists(file) ? File.ReadAllText(file) : null;
        if (expected == actual)
        {
            return;
        }

        if (Environment.GetEnvironmentVariable(UpdateVariable) == "1")
        {
            Directory.CreateDirectory(System.IO.Path.GetDirectoryName(file)!);
            File.WriteAllText(file, actual);
            return;
        }

        throw new GoldenMismatchException(expected is null
            ? $"Golden file {name} is missing. Run with {UpdateVariable}=1, read the new file, commit it."
            : $"{FirstDifference(name, expected, actual)}\nIf the new text is right: run with {UpdateVariable}=1, read the change, commit it.");
    }

    /// <summary>The first line in which two different texts differ, in words.</summary>
    public static string FirstDifference(string name, string expected, string actual)
    {
        string[] left = expected.Split('\n');
        string[] right = actual.Split('\n');
        int line = 0;
        while (line < left.Length && line < right.Length && left[line] == right[line])
        {
            line++;
        }

        string position = string.Create(CultureInfo.InvariantCulture, $"Golden file {name}, line {line + 1}:");
        return $"{position}\nexpected: {Shown(left, line)}\nactual:   {Shown(right, line)}";
    }

    private static string Shown(string[] lines, int line) =>
        line >= lines.Length ? "(end of text)"
        : lines[line].Length > MostShown ? $"\"{lines[line][..MostShown]}\"..."
        : $"\"{lines[line]}\"";
}
