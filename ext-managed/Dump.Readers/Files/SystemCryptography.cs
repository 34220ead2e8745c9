using System.Runtime.InteropServices;

namespace Dump.Readers.Files;

/// <summary>
/// Whether the class library finds OpenSSL on Linux, which it asks for every cipher and connection, and without which it ends the process. What needs it asks here
/// first.
/// </summary>
public static class SystemCryptography
{
    private const string ChosenVersion = "CLR_OPENSSL_VERSION_OVERRIDE";

    // In the order of the runtime: src/native/libs/System.Security.Cryptography.Native/opensslshim.c.
    private static readonly string[] s_versions = ["3", "1.1", "1.0.2", "1.0.0", "10"];

    private static readonly Lazy<bool> s_isHere = new(() => !OperatingSystem.IsLinux()
        || Environment.GetEnvironmentVariable(ChosenVersion) is { Length: > 0 } chosen && IsHere(chosen) || s_versions.Any(IsHere));

    /// <summary>Why it cannot be used, as a clause with what to do; null when it can.</summary>
    public static string? Unavailable => s_isHere.Value ? null : "OpenSSL is not installed here; install it (the package libssl3 of Debian, openssl-libs of Fedora)";

    /// <summary>Goes on where it can be used.</summary>
    /// <exception cref="MissingSystemLibraryException">It cannot.</exception>
    public static void Require()
    {
        if (Unavailable is { } reason)
        {
            throw new MissingSystemLibraryException($"connections and signatures cannot be checked: {reason}");
        }
    }

    private static bool IsHere(string version)
    {
        if (!NativeLibrary.TryLoad($"libssl.so.{version}", out nint library))
        {
            return false;
        }

        NativeLibrary.Free(library);
        return true;
    }
}

/// <summary>A library of the system is not installed, without which what was asked for cannot be done. The message says which, and what to do.</summary>
/// <param name="message">The message.</param>
public sealed class MissingSystemLibraryException(string message) : Exception(message);
