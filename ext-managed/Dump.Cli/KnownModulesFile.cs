using System.Diagnostics.CodeAnalysis;
using System.Text;
using Dump.Analysis.Knowledge;

namespace Dump.Cli;

/// <summary>Reads the user's list of libraries that get into other people's processes.</summary>
internal static class KnownModulesFile
{
    private const int MostBytes = 4 * 1024 * 1024;

    /// <summary>Reads it, as an addition to the built-in list.</summary>
    /// <param name="path">The file.</param>
    /// <param name="modules">Both lists together; null when the result is false.</param>
    /// <param name="problem">What is wrong, without a full stop; null when the result is true.</param>
    public static bool TryRead(string path, [NotNullWhen(true)] out KnownModules? modules, [NotNullWhen(false)] out string? problem)
    {
        (modules, problem) = (null, null);
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

            using FileStream file = File.OpenRead(path);
            byte[] bytes = new byte[length];
            int read = file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
            using StreamReader text = new(new MemoryStream(bytes, 0, read), new UTF8Encoding(false, throwOnInvalidBytes: true));
            modules = KnownModules.Default.With(text.ReadToEnd());
            return true;
        }
        catch (Exception error) when (error is InvalidKnownModulesException or IOException or UnauthorizedAccessException or DecoderFallbackException or ArgumentException)
        {
            problem = error is DecoderFallbackException ? "it is not UTF-8 text" : Model.SafeText.Clean(error.Message.TrimEnd('.'));
            return false;
        }
    }
}
