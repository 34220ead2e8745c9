using Dump.Clr.Heap;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>
/// The element type of an array. The data-access library gives none for arrays of a collection's entries, so it is read from the array's method table.
/// </summary>
internal static class ArrayElements
{
    /// <summary>The type, or null when it cannot be read. The caller holds the runtime's lock.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="arrayMethodTable">Method table of the array.</param>
    public static ClrType? TypeOf(ClrRuntime runtime, ulong arrayMethodTable) =>
        runtime.GetTypeByMethodTable(arrayMethodTable)?.ComponentType
        ?? (runtime.DataTarget.DataReader.ReadPointer(arrayMethodTable + MethodTableLayout.ElementType, out ulong element)
            ? runtime.GetTypeByMethodTable(element)
            : null);
}
