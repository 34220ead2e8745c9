using System.Text.Json;
using Dump.Model.Contract;
using Dump.Readers.Files;

namespace Dump.Triage.Records;

/// <summary>Where the records of a folder lie: <c>records/FIRST-TWO-DIGITS/IDENTITY.json</c>.</summary>
internal static class RecordFiles
{
    /// <summary>Folder of the records.</summary>
    public const string Folder = "records";

    private const string Suffix = ".json";

    // A report is at most 64 MiB as it is written, and shorter in a record.
    private const long LongestFile = 128L << 20;
    private const int FolderDigits = 2;

    /// <summary>File of a record.</summary>
    public static string PathOf(string output, string identity) => Path.Combine(output, Folder, identity[..FolderDigits], identity + Suffix);

    /// <summary>The files of all records; links are not followed.</summary>
    /// <param name="output">The folder that <c>--out</c> named, in which there are records.</param>
    public static IEnumerable<string> Enumerate(string output) => Directory.EnumerateFiles(
        Path.Combine(output, Folder), "*" + Suffix,
        new EnumerationOptions { RecurseSubdirectories = true, MaxRecursionDepth = 1, AttributesToSkip = FileAttributes.ReparsePoint });

    /// <summary>Reads a record's file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="take">Takes what it needs of the record while its JSON is there.</param>
    /// <param name="problem">What is wrong with the file, as a clause; null when it is read or is not there.</param>
    /// <returns>Null when there is no such record.</returns>
    public static T? Read<T>(string path, Func<RecordContent, T> take, out string? problem)
        where T : class
    {
        problem = null;
        try
        {
            using FileStream file = RegularFile.OpenRead(path);
            if (file.Length > LongestFile)
            {
                problem = "it is too long for a record";
                return null;
            }

            using var json = JsonDocument.Parse(file);
            if (RecordJson.Read(json.RootElement, out problem) is not { } record || record.Identity + Suffix != Path.GetFileName(path))
            {
                problem ??= $"it is no {SchemaNames.Record} of that name";
                return null;
            }

            return take(record);
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or JsonException or InvalidOperationException)
        {
            problem = error is JsonException or InvalidOperationException ? "it is not JSON, or cut off" : "it cannot be read";
            return null;
        }
    }
}
