using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
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

/// <summary>MEMORY_BASIC_INFORMATION of a 64-bit program (winnt.h).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct MemoryRegion
{
    /// <summary>First address.</summary>
    public ulong BaseAddress;

    /// <summary>First address of the allocation that it belongs to.</summary>
    public ulong AllocationBase;

    /// <summary>Protection at the allocation.</summary>
    public uint AllocationProtect;

    /// <summary>Partition, and room.</summary>
    public uint Partition;

    /// <summary>Size in bytes.</summary>
    public ulong Size;

    /// <summary>MEM_COMMIT, MEM_RESERVE or MEM_FREE.</summary>
    public uint State;

    /// <summary>Protection.</summary>
    public uint Protect;

    /// <summary>MEM_IMAGE, MEM_MAPPED or MEM_PRIVATE.</summary>
    public uint Type;

    /// <summary>Room.</summary>
    public uint Room;
}
