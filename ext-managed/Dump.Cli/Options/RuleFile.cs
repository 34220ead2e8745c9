using System.CommandLine.Parsing;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using Dump.Analysis.Rules;
using Dump.Readers.Files;

namespace Dump.Cli.Options;

/// <summary>Reads a file of rules that the user names: a small text in UTF-8.</summary>
internal static class RuleFile
{
    private const int MostBytes = 4 * 1024 * 1024;

    /// <summary>Reads the file that an option names; what is wrong with it is an error of the command line.</summary>
    /// <param name="argument">The option's value.</param>
    /// <param name="option">The option, with its dashes.</param>
    /// <param name="parse">Makes the rules of the text.</param>
    public static T? Parse<T>(ArgumentResult argument, string option, Func<string, T> parse)
        where T : class
    {
        string path = argument.Tokens[0].Value;
        if (!TryRead(path, parse, out T? rules, out string? problem))
        {
            argument.AddError(path.Length == 0 ? $"{option}: the name is empty; give a file." : $"{option} {path}: {problem}.");
        }

        return rules;
    }

    /// <summary>Reads a file of rules. What is wrong with it is a result, not an exception.</summary>
    /// <param name="path">The file.</param>
    /// <param name="parse">Makes the rules of the text.</param>
    /// <param name="rules">The rules; null when the result is false.</param>
    /// <param name="problem">What is wrong, without a full stop; null when the result is true.</param>
    private static bool TryRead<T>(string path, Func<string, T> parse, [NotNullWhen(true)] out T? rules, [NotNullWhen(false)] out string? problem)
        where T : class
    {
        (rules, problem) = (null, null);
        try
        {
            if (Directory.Exists(path) || !File.Exists(path))
            {
                problem = Directory.Exists(path) ? "this is a directory" : "there is no such file";
                return false;
            }

            // Pipes and devices have no length, and opening a pipe would wait for a writer.
            long length = (File.ResolveLinkTarget(path, returnFinalTarget: true) as FileInfo ?? new FileInfo(path)).Length;
            if (length is 0 or > MostBytes)
            {
                problem = length == 0 ? "this is an empty file or a pipe" : $"it is larger than {MostBytes} bytes";
                return false;
            }

            using FileStream file = RegularFile.OpenRead(path);
            byte[] bytes = new byte[length];
            int read = file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
            using StreamReader text = new(new MemoryStream(bytes, 0, read), new UTF8Encoding(false, throwOnInvalidBytes: true));
            rules = parse(text.ReadToEnd());
            return true;
        }
        catch (Exception error) when (error is InvalidRulesException or IOException or UnauthorizedAccessException or DecoderFallbackException
            or ArgumentException)
        {
            problem = error is DecoderFallbackException ? "it is not UTF-8 text" : Model.Text.SafeText.Clean(error.Message.TrimEnd('.'));
            return false;
        }
    }
}
