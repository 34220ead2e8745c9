using System.Buffers.Binary;
using Dump.Model.Text;
using Dump.Readers.Files;
using Microsoft.Win32.SafeHandles;

namespace Dump.Readers.Minidump;

/// <summary>Bounds-checked random access to the bytes of a file, beyond 2 GiB too.</summary>
internal abstract class FileBytes : IDisposable
{
    /// <summary>Length in bytes.</summary>
    public abstract long Length { get; }

    /// <summary>User id of the file's owner; null for bytes in memory and where the system does not tell.</summary>
    public virtual uint? Owner => null;

    /// <summary>Opens a file, which is read as far as it is asked for.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="owners">Whose files are opened; null for everybody's.</param>
    /// <exception cref="InvalidDumpException">The file cannot be opened or is empty.</exception>
    public static FileBytes Open(string path, FileOwners? owners = null)
    {
        if (Directory.Exists(path))
        {
            throw new InvalidDumpException($"{Name(Path.TrimEndingDirectorySeparator(path))}: this is a directory; give the dump file itself");
        }

        try
        {
            SafeFileHandle file = RegularFile.OpenHandle(path, owners);
            long length = RandomAccess.GetLength(file);
            if (length > 0)
            {
                WorkBudget.Add(length);
                return new Paged(new PagedFile(file, length, Name(path)), length, RegularFile.OwnerOf(file));
            }

            file.Dispose();
        }
        catch (IrregularFileException error)
        {
            throw new InvalidDumpException(
                $"{Name(path)}: this is a pipe or a device, not a file; dumps are read from files, because the reader jumps about in them", error);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new InvalidDumpException($"{Name(path)}: cannot be read: {SafeText.Clean(error.Message)}", error);
        }

        throw new InvalidDumpException($"{Name(path)}: this is an empty file; if the dump's writer was interrupted, write it again: procdump -ma PID");
    }

    private static string Name(string path) => SafeText.Clean(Path.GetFileName(path) is { Length: > 0 } name ? name : path);

    /// <summary>Wraps bytes in memory.</summary>
    public static FileBytes Wrap(ReadOnlyMemory<byte> bytes) => new InMemory(bytes);

    /// <summary>Copies bytes; returns how many there were, which is less than asked for at the end of the file.</summary>
    public abstract int Read(long offset, Span<byte> destination);

    /// <summary>True when the whole range lies in the file.</summary>
    public bool Contains(long offset, long size) => offset >= 0 && size >= 0 && offset <= Length && size <= Length - offset;

    /// <summary>Reads a value, or null when it does not lie in the file.</summary>
    public ushort? ReadUInt16(long offset)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ushort)];
        return Read(offset, bytes) == bytes.Length ? BinaryPrimitives.ReadUInt16LittleEndian(bytes) : null;
    }

    /// <summary>Reads a value, or null when it does not lie in the file.</summary>
    public uint? ReadUInt32(long offset)
    {
        Span<byte> bytes = stackalloc byte[sizeof(uint)];
        return Read(offset, bytes) == bytes.Length ? BinaryPrimitives.ReadUInt32LittleEndian(bytes) : null;
    }

    /// <summary>Reads a value, or null when it does not lie in the file.</summary>
    public ulong? ReadUInt64(long offset)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        return Read(offset, bytes) == bytes.Length ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : null;
    }

    /// <inheritdoc/>
    public virtual void Dispose()
    {
    }

    private sealed class InMemory(ReadOnlyMemory<byte> bytes) : FileBytes
    {
        public override long Length => bytes.Length;

        public override int Read(long offset, Span<byte> destination)
        {
            if (offset < 0 || offset >= bytes.Length)
            {
                return 0;
            }

            int count = (int)Math.Min(destination.Length, bytes.Length - offset);
            bytes.Span.Slice((int)offset, count).CopyTo(destination);
            return count;
        }
    }

    private sealed class Paged(PagedFile file, long length, uint? owner) : FileBytes
    {
        public override uint? Owner => owner;

        public override long Length => length;

        public override int Read(long offset, Span<byte> destination) => file.Read(offset, destination);

        public override void Dispose() => file.Dispose();
    }
}

/// <summary>The bytes of a dump as a stream, for readers that want one. For one reader at a time; does not own the bytes.</summary>
/// <param name="file">The bytes.</param>
internal sealed class FileBytesStream(FileBytes file) : SeekableReadOnlyStream
{
    /// <inheritdoc/>
    public override long Length => file.Length;

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        int count = file.Read(Position, buffer);
        Position += count;
        return count;
    }

    /// <summary>Done when it returns: a reader that goes on meanwhile, as ClrMD does behind its constructor, would move the position under it.</summary>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        Task.FromResult(Read(buffer, offset, count));

    /// <summary>The same.</summary>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => ValueTask.FromResult(Read(buffer.Span));
}
