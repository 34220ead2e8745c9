using System.Collections.Immutable;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>
/// A place in intermediate language, by the map that the compiler of the machine code has left: ranges of addresses and the offset that each belongs to. The
/// same choice as the runtime makes for its own stack traces (dotnet/runtime, src/coreclr/debug/ee/functioninfo.cpp, MapNativeOffsetToIL).
/// </summary>
/// <param name="Offset">Offset in the method's intermediate language.</param>
/// <param name="IsExact">False when the address itself has no offset, and the one before it is given.</param>
internal readonly record struct IlOffset(int Offset, bool IsExact)
{
    // ICorDebugInfo::MappingTypes, dotnet/runtime, src/coreclr/inc/cordebuginfo.h: code without a place, before the first and behind the last statement.
    public const int NoMapping = -1;
    public const int Prolog = -2;
    public const int Epilog = -3;

    /// <summary>The place of an address; null where the map has nothing for it: it is that of other code of the method.</summary>
    /// <param name="map">The map.</param>
    /// <param name="address">An address.</param>
    public static IlOffset? Of(ImmutableArray<ILToNativeMap> map, ulong address)
    {
        if (map.IsDefault)
        {
            return null;
        }

        int covering = -1, before = -1;
        for (int i = 0; i < map.Length; i++)
        {
            if (address < map[i].StartAddress)
            {
                continue;
            }

            covering = address < map[i].EndAddress ? i : covering;
            before = map[i].ILOffset >= 0 && (before < 0 || map[i].StartAddress >= map[before].StartAddress) ? i : before;
        }

        return covering < 0 ? null
            : map[covering].ILOffset switch
            {
                >= 0 and var offset => new IlOffset(offset, true),
                Prolog => new IlOffset(0, true),
                NoMapping or Epilog when before >= 0 => new IlOffset(map[before].ILOffset, false),
                _ => null,
            };
    }
}
