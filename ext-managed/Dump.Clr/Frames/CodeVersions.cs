using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.Utilities;

namespace Dump.Clr.Frames;

/// <summary>
/// Places in intermediate language of machine code that a method has got later: the runtime compiles a method that is called often anew, and one whose loop runs
/// long while it runs, and each code has a map of its own. ClrMD knows the map of the first code only, so the data-access library is asked for an address.
/// </summary>
/// <param name="runtime">The runtime.</param>
internal sealed unsafe class CodeVersions(ClrRuntime runtime)
{
    private const int MostOffsets = 16;

    // In optimised code seen up to some tens of bytes.
    private const uint FarthestBefore = 512;
    private const int Success = 0;

    // Calls of the library for a whole dump; each reads the map of one code.
    private const int MostCalls = 200_000;
    private int _callsLeft = MostCalls;

    private readonly CallableCOMWrapper? _process = DataAccessProcess.Of(runtime);

    /// <summary>The place of an address; null where its code has nothing for it, or is none.</summary>
    /// <param name="address">An address in machine code of a method.</param>
    public IlOffset? Of(ulong address)
    {
        nint process = _process?.QueryInterface(DataAccessLayout.Process) ?? 0;
        if (process == 0)
        {
            return null;
        }

        try
        {
            return MethodAt(process, address) is not 0 and var method ? Of(method, address) : null;
        }
        finally
        {
            Marshal.Release(process);
        }
    }

    private IlOffset? Of(nint method, ulong address)
    {
        try
        {
            switch (OffsetAt(method, address))
            {
                case null:
                    return null;
                case >= 0 and var offset:
                    return new IlOffset(offset, true);
                case IlOffset.Prolog:
                    return new IlOffset(0, true);
            }

            for (uint back = 1; back <= FarthestBefore && back <= address && OffsetAt(method, address - back) is { } before; back++)
            {
                if (before >= 0)
                {
                    return new IlOffset(before, false);
                }
            }

            return null;
        }
        finally
        {
            Marshal.Release(method);
        }
    }

    /// <summary>What the map of the code at an address has for it; null when it has nothing.</summary>
    private int? OffsetAt(nint method, ulong address)
    {
        if (_callsLeft-- <= 0)
        {
            _callsLeft = 0;
            return null;
        }

        uint* offsets = stackalloc uint[MostOffsets];
        uint count = 0;
        var ask = (delegate* unmanaged<nint, ulong, uint, uint*, uint*, int>)DataAccessProcess.Slot(method, DataAccessLayout.GetILOffsetsByAddress);
        return ask(method, address, MostOffsets, &count, offsets) >= Success && count > 0 ? (int)offsets[Math.Min(count, MostOffsets) - 1] : null;
    }

    /// <summary>The first method with code at an address, to be released; 0 for none.</summary>
    private static nint MethodAt(nint process, ulong address)
    {
        ulong list = 0;
        var start = (delegate* unmanaged<nint, ulong, nint, ulong*, int>)DataAccessProcess.Slot(process, DataAccessLayout.StartEnumMethodInstancesByAddress);
        if (start(process, address, 0, &list) != Success)
        {
            return 0;
        }

        nint method = 0;
        var next = (delegate* unmanaged<nint, ulong*, nint*, int>)DataAccessProcess.Slot(process, DataAccessLayout.EnumMethodInstanceByAddress);
        int found = next(process, &list, &method);
        _ = ((delegate* unmanaged<nint, ulong, int>)DataAccessProcess.Slot(process, DataAccessLayout.EndEnumMethodInstancesByAddress))(process, list);
        return found == Success ? method : 0;
    }
}
