using Dump.Readers.Files;

namespace Dump.Triage.Discovery;

/// <summary>Tells of a file that is still written whether it may become a dump, or an archive that holds one.</summary>
internal static class LikelyDump
{
    /// <summary>True for what is named or begins like one, and for what the command line names.</summary>
    /// <param name="file">The file.</param>
    public static bool Is(FoundFile file)
    {
        if (file.IsAskedFor || ContentSignature.IsDumpName(file.FullPath) || ContentSignature.IsArchiveName(file.FullPath))
        {
            return true;
        }

        try
        {
            byte[] start = new byte[ContentSignature.Length];
            int length;
            using (FileStream stream = RegularFile.OpenRead(file.FullPath, bufferSize: 0))
            {
                length = stream.ReadAtLeast(start, start.Length, throwOnEndOfStream: false);
            }

            ReadOnlySpan<byte> bytes = start.AsSpan(0, length);
            return ContentSignature.Of(bytes) != ContentKind.Other || EmbeddedArchive.Find(file.FullPath, bytes) != ContentKind.Other;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            // What cannot be read now is said when it is at rest.
            return false;
        }
    }
}
