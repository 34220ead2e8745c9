using System.Buffers.Binary;
using System.IO.MemoryMappedFiles;
using Dump.Model.Text;

namespace Dump.Readers.Minidump;

/// <summary>Bounds-checked random access to the bytes of a file, beyond 2 GiB too.</summary>
internal abstract unsafe class FileBytes : IDisposable
{
    /// <summary>Length in bytes.</summary>
    public abstract long Length { get; }

    /// <summary>Maps a file.</summary>
    /// <exception cref="InvalidDumpException">The file cannot be opened or is empty.</exception>
    public static FileBytes Map(string path)
    {
        if (Directory.Exists(path))
        {
            throw new InvalidDumpException($"{Name(Path.TrimEndingDirectorySeparator(path))}: this is a directory; give the dump file itself");
        }

        try
        {
            // The length of a symbolic link is that of its text, not of the dump that it leads to.
            long length = (File.ResolveLinkTarget(path, returnFinalTarget: true) as FileInfo ?? new FileInfo(path)).Length;
            return length == 0 ? throw new InvalidDumpException($"{Name(path)}: {WhyEmpty(path)}") : new Mapped(path, length);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new InvalidDumpException($"{Name(path)}: cannot be read: {SafeText.Clean(error.Message)}", error);
        }
    }

    private static string Name(string path) => SafeText.Clean(Path.GetFileName(path) is { Length: > 0 } name ? name : path);

    private static string WhyEmpty(string path) => Path.GetFullPath(path).StartsWith("/dev/", StringComparison.Ordinal)
        ? "this is a device, not a file; dumps are read from files, because the reader jumps about in them"
        : "this is an empty file or a pipe; if the dump's writer was interrupted, write it again: procdump -ma PID";

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

    private sealed class Mapped : FileBytes
    {
        private readonly MemoryMappedFile _file;
        private readonly MemoryMappedViewAccessor _view;
        private byte* _start;

        public Mapped(string path, long length)
        {
            Length = length;
            FileStream stream = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            try
            {
                _file = MemoryMappedFile.CreateFromFile(
                    stream, mapName: null, capacity: 0, MemoryMappedFileAccess.Read, HandleInheritability.None, leaveOpen: false);
            }
            catch
            {
                stream.Dispose();
                throw;
            }

            _view = _file.CreateViewAccessor(0, 0, MemoryMappedFileAccess.Read);
            _view.SafeMemoryMappedViewHandle.AcquirePointer(ref _start);
        }

        public override long Length { get; }

        public override int Read(long offset, Span<byte> destination)
        {
            if (offset < 0 || offset >= Length)
            {
                return 0;
            }

            ObjectDisposedException.ThrowIf(_start is null, typeof(MinidumpFile));
            int count = (int)Math.Min(destination.Length, Length - offset);
            new ReadOnlySpan<byte>(_start + offset, count).CopyTo(destination);
            return count;
        }

        public override void Dispose()
        {
            if (_start is null)
            {
                return;
            }

            _start = null;
            _view.SafeMemoryMappedViewHandle.ReleasePointer();
            _view.Dispose();
            _file.Dispose();
        }
    }
}
