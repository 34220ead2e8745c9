using System.Text;
using System.Text.RegularExpressions;

namespace Dump.Analysis.Names;

/// <summary>
/// Names that the C# compiler makes of the author's: lambdas (<c>&lt;Run&gt;b__5_0</c>), local functions (<c>&lt;Run&gt;g__Check|5_0</c>) and state machines
/// (<c>&lt;Run&gt;d__5.MoveNext</c>). They stand in each other: the state machine of an asynchronous lambda is <c>&lt;&lt;Run&gt;b__5_0&gt;d</c>.
/// </summary>
internal static partial class CompilerNames
{
    /// <summary>The name with every one of them, from the inside out, as the method and what is inside of it.</summary>
    public static string Undone(string name)
    {
        // The statements of a program without a Main of its own.
        string text = Whole().Replace(name.Replace("<Main>$", "Main", StringComparison.Ordinal), "${name}");
        StringBuilder undone = new(text.Length);
        Stack<int> open = new();
        for (int i = 0; i < text.Length; i++)
        {
            if (text[i] == '<')
            {
                open.Push(undone.Length);
            }
            else if (text[i] == '>' && open.TryPop(out int start) && Ending().Match(text, i + 1) is { Success: true } ending)
            {
                string method = undone.ToString(start + 1, undone.Length - start - 1);
                undone.Length = start;
                undone.Append(Words(method, ending));
                i += ending.Length;
                continue;
            }

            undone.Append(text[i]);
        }

        return undone.ToString();
    }

    private static string Words(string method, Match ending) =>
        ending.Groups["local"] is { Success: true } local ? $"{method}.{local.Value}"
        : ending.Groups["lambda"].Success ? $"{method}.lambda"

        // Names of types have no dots: those of a method that implements an interface by its full name become hyphens.
        : method.Replace('-', '.');

    // The method that waits for an asynchronous Main, and the one that copies a record: their names are nothing but the author's in brackets.
    [GeneratedRegex(@"(?<=^|[.+:!])<(?<name>Main|Clone)>\$?(?=\(|\[|$)", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex Whole();

    /// <summary>What follows the angle bracket behind the method's name.</summary>
    [GeneratedRegex(
        @"\Gd(__[\d#]+)?(`\d+)?(<[^()]*>|\[[^()]*\])?\.MoveNext(?=\(|$)|\G(?<lambda>b__[\d_#]+)|\Gg__(?<local>[^|<>]+)\|[\d_#]+", RegexOptions.CultureInvariant,
        60_000)]
    private static partial Regex Ending();
}
