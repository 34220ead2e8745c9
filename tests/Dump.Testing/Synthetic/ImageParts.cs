using System.Text;

namespace Dump.Testing.Synthetic;

/// <summary>What 32-bit and 64-bit images share: section headers and the export table, which have no pointers.</summary>
internal static class ImageParts
{
    /// <summary>A section header; file and memory have the same layout.</summary>
    public static void Section(ByteWriter w, string name, int rva, int size, uint flags) =>
        w.Bytes(Encoding.ASCII.GetBytes(name.PadRight(8, '\0'))).UInt32(size).UInt32(rva).UInt32(size).UInt32(rva).UInt64(0).UInt32(0).UInt32(flags);

    /// <summary>An export directory at its address in the image: functions, names in their order, ordinals, texts.</summary>
    public static void Exports(ByteWriter w, int exportRva, IEnumerable<(string Name, int Rva)> all)
    {
        (string Name, int Rva)[] exported = [.. all.OrderBy(f => f.Name, StringComparer.Ordinal)];
        int functions = exportRva + 40;
        int names = functions + exported.Length * 4;
        int ordinals = names + exported.Length * 4;
        int text = ordinals + exported.Length * 2;
        w.UInt32(0).UInt32(0).UInt32(0).UInt32(text).UInt32(1).UInt32(exported.Length).UInt32(exported.Length).UInt32(functions).UInt32(names).UInt32(ordinals);
        foreach ((_, int rva) in exported)
        {
            w.UInt32(rva);
        }

        foreach ((string name, _) in exported)
        {
            w.UInt32(text);
            text += name.Length + 1;
        }

        for (int i = 0; i < exported.Length; i++)
        {
            w.UInt16(i);
        }

        foreach ((string name, _) in exported)
        {
            w.Bytes(Encoding.ASCII.GetBytes(name)).Bytes(0);
        }
    }
}
