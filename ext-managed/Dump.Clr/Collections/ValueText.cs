using System.Globalization;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>
/// Keys and values of entries in a few words: numbers and strings as they are, other objects by type and address. Everything is sanitised and cut.
/// </summary>
internal static class ValueText
{
    private const int LongestText = 60;
    private const int LongestName = 100;
    private const int LongestStruct = 16;

    /// <summary>A field of an entry in words, or null when it cannot be read.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="field">The field.</param>
    /// <param name="entry">Address of the entry.</param>
    public static string? Read(ClrRuntime runtime, ClrInstanceField field, ulong entry) =>
        Read(runtime, field.ElementType, field.IsObjectReference, field.Type?.Name, field.Size, entry + (ulong)field.Offset);

    /// <summary>A value in words, or null when it cannot be read.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="element">What kind of value.</param>
    /// <param name="isReference">True for a reference to an object.</param>
    /// <param name="type">Name of the type of a structure; null when unknown.</param>
    /// <param name="size">Size of a structure, bytes.</param>
    /// <param name="address">Where the value is.</param>
    public static string? Read(ClrRuntime runtime, ClrElementType element, bool isReference, string? type, int size, ulong address)
    {
        IMemoryReader memory = runtime.DataTarget.DataReader;
        return isReference
            ? memory.ReadPointer(address, out ulong target) ? Reference(runtime, target) : null
            : element switch
            {
                ClrElementType.Boolean => memory.Read(address, out byte flag) ? flag == 0 ? "false" : "true" : null,
                ClrElementType.Char => memory.Read(address, out char character) ? SafeText.Quote(SafeText.Clean([character])) : null,
                ClrElementType.Int8 => memory.Read(address, out sbyte value) ? Number(value) : null,
                ClrElementType.UInt8 => memory.Read(address, out byte value) ? Number(value) : null,
                ClrElementType.Int16 => memory.Read(address, out short value) ? Number(value) : null,
                ClrElementType.UInt16 => memory.Read(address, out ushort value) ? Number(value) : null,
                ClrElementType.Int32 => memory.Read(address, out int value) ? Number(value) : null,
                ClrElementType.UInt32 => memory.Read(address, out uint value) ? Number(value) : null,
                ClrElementType.Int64 => memory.Read(address, out long value) ? Number(value) : null,
                ClrElementType.UInt64 => memory.Read(address, out ulong value) ? Number(value) : null,
                ClrElementType.Float => memory.Read(address, out float value) ? Number(value) : null,
                ClrElementType.Double => memory.Read(address, out double value) ? Number(value) : null,
                ClrElementType.Pointer or ClrElementType.NativeInt or ClrElementType.NativeUInt =>
                    memory.ReadPointer(address, out ulong value) ? $"0x{value:x}" : null,
                _ => Structure(memory, type, size, address),
            };
    }

    private static string? Reference(ClrRuntime runtime, ulong address)
    {
        if (address == 0)
        {
            return "null";
        }

        ClrObject target = runtime.Heap.GetObject(address);
        return target.Type is null ? null
            : target.Type.IsString && target.AsString(LongestText * 2) is { } text ? $"\"{SafeText.Clean(text, LongestText)}\""
            : $"{SafeText.Clean(target.Type.Name ?? "?", LongestName)} 0x{address:x}";
    }

    private static string? Structure(IMemoryReader memory, string? type, int size, ulong address)
    {
        int shown = Math.Clamp(size, 0, LongestStruct);
        Span<byte> bytes = stackalloc byte[shown];
        string name = SafeText.Clean(type ?? "struct", LongestName);
        return shown == 0 ? name : memory.Read(address, bytes) == shown ? $"{name} {{{Convert.ToHexStringLower(bytes)}{(size > shown ? "..." : "")}}}" : null;
    }

    private static string Number(IFormattable value) => value.ToString(null, CultureInfo.InvariantCulture);
}
