using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Dump.Capture.Windows.Calls;

/// <summary>Asks Windows whether an image has a valid signature of Microsoft's (WinVerifyTrust, wintrust.h). Nothing is asked of the network.</summary>
[SupportedOSPlatform("windows")]
public static unsafe partial class MicrosoftSignature
{
    private const uint NoInterface = 2;
    private const uint ChoiceFile = 1;
    private const uint CacheOnly = 0x1000;

    // WINTRUST_ACTION_GENERIC_VERIFY_V2 (softpub.h).
    private static readonly Guid s_action = new("00AAC56B-CD44-11d0-8CC2-00C04FC295EE");

    /// <summary>Why the file has none, as a clause; null when it has.</summary>
    /// <param name="path">Full path of the file.</param>
    public static string? ProblemOf(string path)
    {
        fixed (char* text = path)
        {
            FileInformation file = new() { Size = (uint)sizeof(FileInformation), Path = text };
            TrustData data = new()
            {
                Size = (uint)sizeof(TrustData), Interface = NoInterface, Choice = ChoiceFile, File = &file, Flags = CacheOnly,
            };
            Guid action = s_action;
            if (WinVerifyTrust(-1, &action, &data) is var error and not 0)
            {
                return $"Windows does not find its signature valid (0x{error:x8})";
            }
        }

        try
        {
#pragma warning disable SYSLIB0057 // The loader that takes its place reads no signed images.
            using var signer = X509Certificate.CreateFromSignedFile(path);
#pragma warning restore SYSLIB0057
            return signer.Subject.Contains("O=Microsoft Corporation", StringComparison.Ordinal) ? null : "its signer is not Microsoft";
        }
        catch (Exception error) when (error is CryptographicException or Win32Exception or IOException)
        {
            return "its signer cannot be read";
        }
    }

    [LibraryImport("wintrust.dll")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static partial int WinVerifyTrust(nint window, Guid* action, TrustData* data);

    /// <summary>WINTRUST_FILE_INFO.</summary>
    private struct FileInformation
    {
        public uint Size;
        public char* Path;
        public nint Handle;
        public nint KnownSubject;
    }

    /// <summary>WINTRUST_DATA.</summary>
    private struct TrustData
    {
        public uint Size;
        public nint PolicyCallback;
        public nint SubjectInterface;
        public uint Interface;
        public uint Revocation;
        public uint Choice;
        public FileInformation* File;
        public uint StateAction;
        public nint State;
        public nint Address;
        public uint Flags;
        public uint Context;
        public nint SignatureSettings;
    }
}
