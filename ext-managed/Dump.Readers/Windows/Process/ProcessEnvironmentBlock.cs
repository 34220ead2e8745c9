using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Windows.Process;

/// <summary>The fields of the process environment block (PEB) and of its loader data that the analysis needs.</summary>
/// <param name="Address">Its address.</param>
/// <param name="ImageBaseAddress">Load address of the program, or null when not readable.</param>
/// <param name="ProcessHeap">Address of the process' first heap, or null when not readable.</param>
/// <param name="FastPebLock">Address of the PEB's own critical section, or null when not readable.</param>
/// <param name="LoaderLock">Address of the loader lock, or null when not readable.</param>
/// <param name="ShutdownInProgress">Whether the process is exiting, or null when not readable.</param>
/// <param name="ShutdownThreadId">The thread that ends the process, or null when there is none or it is not readable.</param>
internal sealed record ProcessEnvironmentBlock(
    ulong Address,
    ulong? ImageBaseAddress,
    ulong? ProcessHeap,
    ulong? FastPebLock,
    ulong? LoaderLock,
    bool? ShutdownInProgress,
    uint? ShutdownThreadId)
{
    /// <summary>Reads the block; null when its memory is missing.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="abi">Pointer size and version.</param>
    /// <param name="address">Its address, taken from a checked TEB.</param>
    public static ProcessEnvironmentBlock? Read(IMemory memory, WindowsAbi abi, ulong address)
    {
        PebLayout layout = new(abi);
        if (address == 0 || address > ulong.MaxValue - PebLayout.End)
        {
            return null;
        }

        ulong? image = Pointer(layout.ImageBaseAddress);
        ulong? loaderLock = Pointer(layout.LoaderLock);
        if (image is null && loaderLock is null)
        {
            return null;
        }

        bool? isShuttingDown = null;
        uint? shutdownThread = null;
        PebLdrDataLayout loader = new(abi);
        if (Pointer(layout.Ldr) is { } loaderData and > 0 && loaderData < ulong.MaxValue - PebLdrDataLayout.End)
        {
            isShuttingDown = memory.ReadByte(loaderData, loader.ShutdownInProgress) is { } flag ? flag != 0 : null;
            shutdownThread = isShuttingDown == true ? (uint?)memory.ReadPointer(loaderData, loader.ShutdownThreadId, abi.PointerSize) : null;
        }

        return new ProcessEnvironmentBlock(
            address,
            image,
            NotZero(Pointer(layout.ProcessHeap)),
            NotZero(Pointer(layout.FastPebLock)),
            NotZero(loaderLock),
            isShuttingDown,
            shutdownThread == 0 ? null : shutdownThread);

        ulong? Pointer(int? offset) => memory.ReadPointer(address, offset, abi.PointerSize);
    }

    private static ulong? NotZero(ulong? value) => value == 0 ? null : value;
}
