using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>Where the fields of an entry of a hash table are, as the runtime has ordered them.</summary>
/// <param name="Size">Size of an entry, bytes.</param>
/// <param name="Next">Offset of the link.</param>
/// <param name="HashCode">Offset of the hash code.</param>
/// <param name="FreeIsEncoded">True when free entries store their links encoded.</param>
/// <param name="Key">Field of the key or of the set's value.</param>
/// <param name="Value">Field of the value, or null in a set.</param>
internal sealed record EntryLayout(int Size, int Next, int HashCode, bool FreeIsEncoded, ClrInstanceField? Key, ClrInstanceField? Value)
{
    /// <summary>Reads it from the entry's type, or returns null when that is no entry of a hash table.</summary>
    /// <param name="entry">The type of the entries.</param>
    /// <param name="size">Size of an entry by its array, bytes.</param>
    public static EntryLayout? Of(ClrType entry, int size)
    {
        ClrInstanceField? next = entry.GetFieldByName("next") ?? entry.GetFieldByName("Next");
        ClrInstanceField? hash = entry.GetFieldByName("hashCode") ?? entry.GetFieldByName("HashCode");
        if (next is null || hash is null || !Fits(next, size) || !Fits(hash, size))
        {
            return null;
        }

        // Since .NET Core 3.0 a dictionary's hash code is unsigned and a free entry's link is encoded; before, it is signed and the link is plain. Sets
        // followed with .NET 5.
        return new EntryLayout(
            size, next.Offset, hash.Offset, hash.ElementType == ClrElementType.UInt32 || hash.Name == "HashCode",
            entry.GetFieldByName("key") ?? entry.GetFieldByName("value") ?? entry.GetFieldByName("Value"),
            entry.GetFieldByName("key") is null ? null : entry.GetFieldByName("value"));
    }

    private static bool Fits(ClrInstanceField field, int size) => field.Offset >= 0 && field.Offset <= size - sizeof(int);
}
