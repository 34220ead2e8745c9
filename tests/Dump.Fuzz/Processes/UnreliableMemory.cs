using Dump.Readers;

namespace Dump.Fuzz.Processes;

/// <summary>The memory of a process as a debugger may give it: as it is, with pages that are absent, end early or hold noise, until it gives no more.</summary>
/// <param name="sound">The memory as it is.</param>
/// <param name="random">Decides how it fails.</param>
internal sealed class UnreliableMemory(IMemory sound, Random random) : IMemory
{
    private const ulong PageSize = 4096;
    private readonly ulong _salt = (ulong)random.NextInt64() | 1;
    private readonly int _trouble = random.Next(4);
    private int _left = random.Next(4) == 0 ? random.Next(1, 200) : int.MaxValue;

    /// <summary>Bytes that were asked for.</summary>
    public long Asked { get; private set; }

    /// <inheritdoc/>
    public int Read(ulong address, Span<byte> destination)
    {
        if (_left-- <= 0)
        {
            throw new InvalidDumpException("the memory of the process cannot be read: the debugger ended the conversation; give the command again");
        }

        Asked += destination.Length;
        destination.Clear();
        int done = 0;
        while (done < destination.Length)
        {
            ulong at = unchecked(address + (ulong)done);
            int count = (int)Math.Min(PageSize - at % PageSize, (ulong)(destination.Length - done));
            Span<byte> page = destination.Slice(done, count);
            _ = sound.Read(at, page);
            switch (_trouble == 0 ? 0 : unchecked(at / PageSize * _salt) % 16)
            {
                case 1:
                    return done;
                case 2:
                    return done + count / 2;
                case 3:
                    new Random((int)(at / PageSize)).NextBytes(page);
                    break;
            }

            done += count;
        }

        return done;
    }
}
