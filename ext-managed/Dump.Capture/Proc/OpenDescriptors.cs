using System.Globalization;

namespace Dump.Capture.Proc;

/// <summary>What the file descriptors of a process lead to, as <c>/proc</c> tells (proc_pid_fd(5)); read once.</summary>
internal sealed class OpenDescriptors
{
    private const int MostDescriptors = 65_536;
    private const string Socket = "socket:[";
    private readonly Dictionary<int, string> _files = [];

    /// <summary>Reads them.</summary>
    /// <param name="process">The process.</param>
    public OpenDescriptors(int process)
    {
        Process = process;
        int[] descriptors = ProcFile.Descriptors(process, MostDescriptors);
        foreach (int descriptor in descriptors)
        {
            if (ProcFile.Link($"/proc/{process}/fd/{descriptor}") is { } file)
            {
                _files[descriptor] = file;
            }
        }

        AreAll = descriptors.Length is > 0 and < MostDescriptors && _files.Count == descriptors.Length;
    }

    /// <summary>The process.</summary>
    public int Process { get; }

    /// <summary>True when none is left out.</summary>
    public bool AreAll { get; }

    /// <summary>What each leads to.</summary>
    public IReadOnlyDictionary<int, string> Files => _files;

    /// <summary>The number of a socket; null for what is none.</summary>
    /// <param name="file">What a file descriptor leads to.</param>
    public static uint? SocketOf(string file) => file.StartsWith(Socket, StringComparison.Ordinal) && file.EndsWith(']')
        && uint.TryParse(file.AsSpan(Socket.Length, file.Length - Socket.Length - 1), NumberStyles.None, CultureInfo.InvariantCulture, out uint number)
            ? number : null;

    /// <summary>The descriptors that lead to a socket.</summary>
    /// <param name="socket">Its number.</param>
    public int[] OfSocket(uint socket) => [.. _files.Where(f => SocketOf(f.Value) == socket).Select(f => f.Key).Order()];
}
