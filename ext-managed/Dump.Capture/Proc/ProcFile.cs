using System.Globalization;

namespace Dump.Capture.Proc;

/// <summary>Reads small files below <c>/proc</c>, which appear and vanish with the threads they describe.</summary>
internal static class ProcFile
{
    /// <summary>The text of a file, or null when its process or thread is gone or does not let itself be read.</summary>
    public static string? Text(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The bytes of a file; empty when they cannot be read.</summary>
    public static byte[] Bytes(string path)
    {
        try
        {
            return File.ReadAllBytes(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    /// <summary>Where a symbolic link leads, or null when it cannot be read.</summary>
    public static string? Link(string path)
    {
        try
        {
            return new FileInfo(path).LinkTarget;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>A process' file descriptors; empty when it is gone or does not let them be read.</summary>
    /// <param name="process">Id of the process.</param>
    /// <param name="most">How many to list at most.</param>
    public static int[] Descriptors(int process, int most)
    {
        try
        {
            return
            [
                .. Directory.EnumerateFileSystemEntries($"/proc/{process}/fd").Take(most)
                    .Select(p => int.TryParse(Path.GetFileName(p), NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : -1)
                    .Where(n => n >= 0),
            ];
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    /// <summary>Ids of all processes, ascending; empty when they cannot be listed.</summary>
    public static int[] ProcessIds()
    {
        try
        {
            return
            [
                .. Directory.EnumerateDirectories("/proc")
                    .Select(d => int.TryParse(Path.GetFileName(d.AsSpan()), NumberStyles.None, CultureInfo.InvariantCulture, out int id) ? id : 0)
                    .Where(id => id != 0).Order(),
            ];
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    /// <summary>Ids of a process' threads, ascending; empty when it is gone.</summary>
    public static uint[] ThreadIds(int process)
    {
        try
        {
            return
            [
                .. Directory.EnumerateDirectories($"/proc/{process}/task")
                    .Select(d => uint.TryParse(Path.GetFileName(d), out uint id) ? id : 0).Where(id => id != 0).Order(),
            ];
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
