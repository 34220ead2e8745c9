using Dump.Model.Text;
using Microsoft.Win32.SafeHandles;

namespace Dump.Readers.Files;

/// <summary>
/// Random access to a file by pages that are read and kept, several threads at a time. A file that somebody cuts while it is read is an error here; mapped into
/// memory it would end the process.
/// </summary>
/// <param name="file">The file, which belongs to this object from now on.</param>
/// <param name="length">Its length in bytes.</param>
/// <param name="name">Its name in messages, clean.</param>
internal sealed class PagedFile(SafeFileHandle file, long length, string name) : IDisposable
{
    private const int PageBits = 14;
    private const int PageSize = 1 << PageBits;
    private const int SlotBits = 9;
    private readonly Page?[] _slots = new Page?[1 << SlotBits];

    /// <summary>Copies bytes; returns how many there were, which is less than asked for at the end of the file.</summary>
    /// <param name="offset">Where they begin.</param>
    /// <param name="destination">Receives them.</param>
    /// <exception cref="InvalidDumpException">The file has become shorter, or its disk does not give it.</exception>
    /// <exception cref="ObjectDisposedException">The file is closed.</exception>
    public int Read(long offset, Span<byte> destination)
    {
        if (offset < 0 || offset >= length)
        {
            return 0;
        }

        ObjectDisposedException.ThrowIf(file.IsClosed, this);
        int count = (int)Math.Min(destination.Length, length - offset);
        for (Span<byte> rest = destination[..count]; rest.Length > 0;)
        {
            int taken = Math.Min(rest.Length, PageSize - (int)(offset & (PageSize - 1)));
            if (taken == PageSize && rest.Length > PageSize)
            {
                // What spans whole pages is read into its place: keeping it would drive out the pages that are asked for again.
                taken = rest.Length & ~(PageSize - 1);
                ReadWhole(offset, rest[..taken]);
            }
            else
            {
                At(offset >> PageBits).Bytes.AsSpan((int)(offset & (PageSize - 1)), taken).CopyTo(rest);
            }

            offset += taken;
            rest = rest[taken..];
        }

        return count;
    }

    /// <inheritdoc/>
    public void Dispose() => file.Dispose();

    /// <summary>A page never changes once others can see it, so that no lock is needed; two threads may read the same one.</summary>
    private Page At(long number)
    {
        ref Page? slot = ref _slots[(int)(number ^ (number >> SlotBits)) & ((1 << SlotBits) - 1)];
        if (Volatile.Read(ref slot) is { } kept && kept.Number == number)
        {
            return kept;
        }

        byte[] bytes = new byte[Math.Min(PageSize, length - (number << PageBits))];
        ReadWhole(number << PageBits, bytes);
        Page page = new(number, bytes);
        Volatile.Write(ref slot, page);
        return page;
    }

    private void ReadWhole(long offset, Span<byte> destination)
    {
        try
        {
            for (int read; destination.Length > 0; offset += read, destination = destination[read..])
            {
                ReadingProgress.Step();
                read = RandomAccess.Read(file, destination, offset);
                if (read == 0)
                {
                    throw new InvalidDumpException(
                        $"{name}: the file became shorter while it was read (it had {length:N0} bytes); let its writer end, then try again");
                }
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new InvalidDumpException($"{name}: cannot be read: {SafeText.Clean(error.Message)}", error);
        }
    }

    private sealed record Page(long Number, byte[] Bytes);
}
