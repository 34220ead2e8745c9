using System.Runtime.InteropServices;
using Dump.Model.Text;
using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Windows.Process;

/// <summary>
/// The name of the machine: the variable COMPUTERNAME of the process' environment. Of the other variables, which may hold secrets, nothing is kept.
/// </summary>
internal static class MachineName
{
    private const string Variable = "COMPUTERNAME=";
    private const int ChunkBytes = 4096;
    private const int MostChunks = 64;

    // NetBIOS names have 15 characters; the variable may be set to anything.
    private const int LongestName = 64;

    /// <summary>Reads it; null when the environment is not in the dump, or has no such variable in its first 256 KiB.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="abi">Pointer size and version.</param>
    /// <param name="block">The process environment block, or null.</param>
    public static string? Read(IMemory memory, WindowsAbi abi, ProcessEnvironmentBlock? block) =>
        Follow(memory, abi, block?.Address, new PebLayout(abi).ProcessParameters) is { } parameters
        && Follow(memory, abi, parameters, new ProcessParametersLayout(abi).Environment) is { } environment
            ? Find(memory, environment)
            : null;

    private static ulong? Follow(IMemory memory, WindowsAbi abi, ulong? address, int? offset) =>
        address is { } start && memory.ReadPointer(start, offset, abi.PointerSize) is { } target and not 0 ? target : null;

    private static string? Find(IMemory memory, ulong environment)
    {
        List<char> text = [];
        byte[] chunk = new byte[ChunkBytes];
        for (int i = 0; i < MostChunks; i++)
        {
            int read = memory.Read(unchecked(environment + (ulong)(i * ChunkBytes)), chunk);
            foreach (char character in MemoryMarshal.Cast<byte, char>(chunk.AsSpan(0, read & ~1)))
            {
                if (character != '\0')
                {
                    // What is longer than name and value can be is another variable.
                    if (text.Count <= Variable.Length + LongestName)
                    {
                        text.Add(character);
                    }
                }
                else if (text.Count == 0)
                {
                    return null;
                }
                else if (Value(text) is { } name)
                {
                    return name;
                }
                else
                {
                    text.Clear();
                }
            }

            if (read < ChunkBytes)
            {
                return null;
            }
        }

        return null;
    }

    private static string? Value(List<char> text)
    {
        ReadOnlySpan<char> pair = CollectionsMarshal.AsSpan(text);
        return pair.StartsWith(Variable, StringComparison.OrdinalIgnoreCase) && pair.Length > Variable.Length
            ? SafeText.Clean(pair[Variable.Length..], LongestName)
            : null;
    }
}
