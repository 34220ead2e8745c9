using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Dump.Capture.Windows.Processes;

namespace Dump.Capture.Windows.Calls;

/// <summary>A handle of a process with the rights to describe it and to see its end.</summary>
[SupportedOSPlatform("windows")]
internal sealed unsafe class OpenProcess : IOpenProcess
{
    // ProcessCommandLineInformation of NtQueryInformationProcess, since Windows 8.1 (phnt and ReactOS' ntpsapi.h; not in the SDK): a UNICODE_STRING, and the
    // text that it points to behind it.
    private const int CommandLineInformation = 60;
    private const int TextOffset = 16;
    private const int LongestCommandLine = 65_536 + TextOffset;
    private readonly WindowsHandle _handle;

    private OpenProcess(WindowsHandle handle) => _handle = handle;

    /// <summary>Opens one; null when there is none of that id, or it may not be described.</summary>
    public static OpenProcess? Of(int process)
    {
        WindowsHandle handle = Kernel32.OpenProcess(WindowsRights.WatchProcess, false, (uint)process);
        if (!handle.IsInvalid)
        {
            return new OpenProcess(handle);
        }

        handle.Dispose();
        return null;
    }

    /// <inheritdoc/>
    public DateTime? Started => Kernel32.GetProcessTimes(_handle, out long created, out _, out _, out _) ? DateTime.FromFileTimeUtc(created) : null;

    /// <inheritdoc/>
    public TimeSpan? Processor => Kernel32.WaitForSingleObject(_handle, 0) != Kernel32.Signalled
        && Kernel32.GetProcessTimes(_handle, out _, out _, out long kernel, out long user) ? TimeSpan.FromTicks(kernel + user) : null;

    /// <inheritdoc/>
    public string? CommandLine
    {
        get
        {
            byte[] answer = new byte[LongestCommandLine];
            fixed (byte* into = answer)
            {
                if (Ntdll.NtQueryInformationProcess(_handle, CommandLineInformation, into, (uint)answer.Length, out uint length) != 0)
                {
                    return null;
                }

                int bytes = Math.Min(*(ushort*)into, (int)Math.Min(length, (uint)answer.Length) - TextOffset);
                return bytes <= 0 ? "" : MemoryMarshal.Cast<byte, char>(answer.AsSpan(TextOffset, bytes)).ToString();
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _handle.Dispose();
}
