using System.Text.Json;
using Dump.Model.Text;

namespace Dump.Clr.Wine;

/// <summary>
/// A private directory in which this program and the one under Wine meet: links to what is read, under names
/// that mean the same to both systems, and the result.
/// </summary>
internal sealed class WineExchange : IDisposable
{
    private const long LargestResult = 256L << 20;
    private const int MostErrorText = 300;
    private readonly DirectoryInfo _directory;

    /// <summary>Makes a temporary directory with links to the dump and to the data-access library.</summary>
    /// <param name="dump">Path of the dump.</param>
    /// <param name="dacDirectory">Directory of the data-access library, or null.</param>
    /// <exception cref="WineReadException">It cannot be made.</exception>
    public WineExchange(string dump, string? dacDirectory)
    {
        try
        {
            _directory = Directory.CreateTempSubdirectory("dumpanalyze-wine-");
            File.CreateSymbolicLink(At("dump.dmp"), Path.GetFullPath(dump));
            if (dacDirectory is not null)
            {
                Directory.CreateSymbolicLink(At("dac"), Path.GetFullPath(dacDirectory));
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            _directory?.Delete(recursive: true);
            throw new WineReadException($"no temporary directory ({SafeText.Clean(error.Message, MostErrorText)})", error);
        }

        HasDac = dacDirectory is not null;
    }

    /// <summary>True when there is a directory with a data-access library.</summary>
    public bool HasDac { get; }

    /// <summary>Largest file that the program may write, in bytes.</summary>
    public static long LargestFile => LargestResult;

    /// <summary>The dump, as a Windows path.</summary>
    public string WindowsDump => Windows(At("dump.dmp"));

    /// <summary>The directory with the data-access library, as a Windows path.</summary>
    public string WindowsDac => Windows(At("dac"));

    /// <summary>The result, as a Windows path.</summary>
    public string WindowsResult => Windows(Result);

    /// <summary>Where the program's standard error goes.</summary>
    public string Errors => At("errors.txt");

    private string Result => At("managed-half.json");

    /// <summary>True when the program has left a result.</summary>
    public bool HasResult => File.Exists(Result);

    /// <summary>The result; null for a process without a .NET runtime.</summary>
    /// <exception cref="WineReadException">There is none, or it is damaged.</exception>
    public ManagedHalf? ReadResult()
    {
        try
        {
            using FileStream result = File.OpenRead(Result);
            return result.Length <= LargestResult ? ManagedHalfJson.Read(result) : throw new WineReadException("its result is too large");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or JsonException)
        {
            throw new WineReadException($"it left no readable result{LastError()}", error);
        }
    }

    /// <summary>The last line that the program wrote to its standard error, in brackets after a blank; empty when there is none.</summary>
    public string LastError()
    {
        try
        {
            // The file is bounded like the result; what interests is its end.
            string? line = File.ReadLines(Errors).LastOrDefault(l => l.Length > 0);
            return line is null ? "" : $" ({SafeText.Clean(line, MostErrorText)})";
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }

    public void Dispose()
    {
        try
        {
            _directory.Delete(recursive: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // A leftover of some kilobytes in the temporary directory is no reason to lose the result.
        }
    }

    private static string Windows(string path) => "Z:" + path.Replace('/', '\\');

    private string At(string name) => Path.Combine(_directory.FullName, name);
}
