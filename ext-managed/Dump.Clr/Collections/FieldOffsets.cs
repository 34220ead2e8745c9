using Dump.Clr.Heap;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>
/// Where fields are in an object. Names differ by runtime (with and without underscore); offsets come from the type, because the runtime orders fields itself.
/// </summary>
internal static class FieldOffsets
{
    /// <summary>Offset from the beginning of the object, or null when the type has no such field.</summary>
    /// <param name="type">The type.</param>
    /// <param name="names">Names that the field has in different runtimes.</param>
    public static int? Of(ClrType type, params ReadOnlySpan<string> names)
    {
        foreach (string name in names)
        {
            if (type.GetFieldByName(name) is { Offset: >= 0 and < 4_096 } field)
            {
                return field.Offset + MethodTableLayout.Fields;
            }
        }

        return null;
    }
}
