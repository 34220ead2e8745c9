using System.Text;
using Dump.Model.Text;

namespace Dump.Readers.Linux;

/// <summary>
/// The name of the machine: the variable HOSTNAME of the environment with which the process was started. Of the other variables, which may hold secrets,
/// nothing is kept. Its text stands between the arguments and the program's path, to which the auxiliary vector points (Linux, fs/exec.c and fs/binfmt_elf.c:
/// copy_strings of file name, environment and arguments, downwards from the stack's end).
/// </summary>
internal static class LinuxHostName
{
    private const ulong PageSize = 4096;
    private const int MostPages = 64;
    private const int LongestName = 255;

    /// <summary>Reads it; null when that memory is not in the core, or has no such variable in the last 256 KiB before the path.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="programPath">Address of the program's path, from AT_EXECFN, or null.</param>
    public static string? Read(IMemory memory, ulong? programPath)
    {
        if (programPath is not { } end || end < PageSize)
        {
            return null;
        }

        byte[] bytes = new byte[MostPages * (int)PageSize];
        int start = bytes.Length;
        ulong page = end & ~(PageSize - 1);
        for (ulong top = end; start > 0 && top > PageSize; top = page, page -= PageSize)
        {
            int length = Math.Min(start, (int)(top - page));
            if (length > 0 && !memory.TryRead(top - (ulong)length, bytes.AsSpan(start - length, length)))
            {
                break;
            }

            start -= length;
        }

        return Find(bytes.AsSpan(start));
    }

    /// <summary>The last text of that form: arguments stand in front of the environment.</summary>
    private static string? Find(ReadOnlySpan<byte> block)
    {
        ReadOnlySpan<byte> variable = "\0HOSTNAME="u8;
        int at = block.LastIndexOf(variable);
        if (at < 0)
        {
            return null;
        }

        ReadOnlySpan<byte> value = block[(at + variable.Length)..];
        int length = value.IndexOf((byte)0);
        return length is > 0 and <= LongestName ? SafeText.Clean(Encoding.UTF8.GetString(value[..length]), LongestName) : null;
    }
}
