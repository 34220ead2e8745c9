using System.Runtime.CompilerServices;
using System.Runtime.Versioning;
using Dump.Readers;

namespace Dump.Capture.Windows.Calls;

/// <summary>Memory of a living Windows process.</summary>
/// <param name="process">The process, opened for reading; it must outlive this object.</param>
[SupportedOSPlatform("windows")]
internal sealed class LivingMemory(WindowsHandle process) : IMemory
{
    private const int PageSize = 4096;

    // winnt.h.
    private const uint Committed = 0x1000;
    private const uint Image = 0x100_0000;
    private const int MostRegions = 1_000_000;

    /// <inheritdoc/>
    public unsafe int Read(ulong address, Span<byte> destination)
    {
        int done = 0;
        fixed (byte* into = destination)
        {
            while (done < destination.Length)
            {
                // Page by page: a read that meets one that is not there reads nothing at all.
                int part = (int)Math.Min((ulong)(destination.Length - done), PageSize - (address + (ulong)done) % PageSize);
                if (!Kernel32.ReadProcessMemory(process, address + (ulong)done, into + done, (nuint)part, out nuint read) || read != (nuint)part)
                {
                    break;
                }

                done += part;
            }
        }

        return done;
    }

    /// <summary>Bytes that are committed, or those of images only; null when the regions cannot be listed.</summary>
    /// <param name="onlyImages">True for images only.</param>
    public long? CommittedBytes(bool onlyImages)
    {
        long sum = 0;
        ulong address = 0;
        for (int i = 0; i < MostRegions; i++)
        {
            if (Kernel32.VirtualQueryEx(process, address, out MemoryRegion region, (nuint)Unsafe.SizeOf<MemoryRegion>()) == 0)
            {
                break;
            }

            if (region.State == Committed && (!onlyImages || region.Type == Image))
            {
                sum += (long)region.Size;
            }

            ulong next = region.BaseAddress + region.Size;
            if (next <= address)
            {
                break;
            }

            address = next;
        }

        return sum > 0 ? sum : null;
    }
}
