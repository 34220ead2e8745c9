using System.Text;

namespace Dump.Capture.Windows.Processes;

/// <summary>
/// The words of a command line as the C runtime takes them apart (Microsoft Learn, "Parsing C++ command-line arguments"): spaces part them except within
/// quotation marks, and backslashes count only before one.
/// </summary>
internal static class CommandLineWords
{
    private const int MostWords = 1000;

    /// <summary>The words, the program first; no more than a thousand.</summary>
    /// <param name="commandLine">The command line.</param>
    public static IReadOnlyList<string> Of(string commandLine)
    {
        List<string> words = [];
        int at = 0;
        while (words.Count < MostWords)
        {
            while (at < commandLine.Length && commandLine[at] is ' ' or '\t')
            {
                at++;
            }

            if (at == commandLine.Length)
            {
                return words;
            }

            words.Add(Word(commandLine, ref at));
        }

        return words;
    }

    private static string Word(string line, ref int at)
    {
        StringBuilder word = new();
        bool isQuoted = false;
        while (at < line.Length && (isQuoted || line[at] is not (' ' or '\t')))
        {
            int slashes = 0;
            while (at + slashes < line.Length && line[at + slashes] == '\\')
            {
                slashes++;
            }

            bool isBeforeMark = at + slashes < line.Length && line[at + slashes] == '"';
            word.Append('\\', isBeforeMark ? slashes / 2 : slashes);
            at += slashes;
            if (isBeforeMark)
            {
                isQuoted ^= slashes % 2 == 0;
                word.Append(slashes % 2 == 0 ? "" : "\"");
                at++;
            }
            else if (slashes == 0)
            {
                word.Append(line[at++]);
            }
        }

        return word.ToString();
    }
}
