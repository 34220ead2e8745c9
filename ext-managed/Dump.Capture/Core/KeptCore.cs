using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Dump.Readers.Files;
using Microsoft.Win32.SafeHandles;

namespace Dump.Capture.Core;

/// <summary>Writes a core to a file that has no name until it is complete, so that nothing is left of an interrupted one.</summary>
[SupportedOSPlatform("linux")]
internal static partial class KeptCore
{
    private const int CurrentDirectory = -100;
    private const int FollowLinks = 0x400;
    private const int WriteTemporary = 0x410000 | 0x80000 | 1;
    private const int OwnerOnly = 0b110_000_000;
    private const int BlockSize = 1 << 20;
    private const int PageSize = 4096;

    /// <summary>Copies the core into a nameless file and names it when it is complete, so that nobody finds half a core.</summary>
    /// <param name="core">The core's bytes.</param>
    /// <param name="path">The file, which must not exist yet.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the writing early.</param>
    /// <exception cref="IOException">It cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">It cannot be written there.</exception>
    public static void Write(Stream core, string path, IProgress<string>? progress, CancellationToken cancellation)
    {
        string full = Path.GetFullPath(path);
        int descriptor = OpenTemporary(Path.GetDirectoryName(full) ?? "/", WriteTemporary, OwnerOnly);
        if (descriptor < 0)
        {
            WriteNamed(core, full, progress, cancellation);
            return;
        }

        using SafeFileHandle handle = new(descriptor, ownsHandle: true);
        Copy(core, handle, progress, cancellation);
        if (LinkAt(CurrentDirectory, $"/proc/self/fd/{descriptor}", CurrentDirectory, full, FollowLinks) != 0)
        {
            throw new IOException(Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError()));
        }
    }

    /// <summary>For file systems without files that have no name.</summary>
    private static void WriteNamed(Stream core, string path, IProgress<string>? progress, CancellationToken cancellation)
    {
        using FileStream file = PrivateFile.Create(path);
        try
        {
            Copy(core, file.SafeFileHandle, progress, cancellation);
        }
        catch
        {
            File.Delete(path);
            throw;
        }
    }

    /// <summary>Copies block by block; pages of zeros take no room on the disk.</summary>
    private static void Copy(Stream core, SafeFileHandle file, IProgress<string>? progress, CancellationToken cancellation)
    {
        byte[] block = new byte[BlockSize];
        core.Position = 0;
        for (long at = 0; core.Read(block) is var read and > 0; at += read)
        {
            cancellation.ThrowIfCancellationRequested();
            progress?.Report($"writing the core {at >> 20} of {core.Length >> 20} MiB");
            for (int page = 0; page < read; page += PageSize)
            {
                ReadOnlySpan<byte> bytes = block.AsSpan(page, Math.Min(PageSize, read - page));
                if (bytes.ContainsAnyExcept((byte)0))
                {
                    RandomAccess.Write(file, bytes, at + page);
                }
            }
        }

        RandomAccess.SetLength(file, core.Length);
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int OpenTemporary(string directory, int flags, int mode);

    [LibraryImport("libc", EntryPoint = "linkat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int LinkAt(int fromDirectory, string from, int toDirectory, string to, int flags);
}
