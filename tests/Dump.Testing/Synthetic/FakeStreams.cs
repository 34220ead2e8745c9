using System.Text;

namespace Dump.Testing.Synthetic;

/// <summary>Streams of a synthetic minidump beyond the usual ones. Layouts as in minidumpapiset.h.</summary>
public static class FakeStreams
{
    /// <summary>ThreadNames (24): packed entries of a 32-bit id and a 64-bit position.</summary>
    public static FakeStream ThreadNames(params (uint Id, string Name)[] threads) => new(24, w =>
    {
        int[] names = [.. threads.Select(t => w.CountedString(t.Name))];
        int at = w.Length;
        w.UInt32(threads.Length);
        for (int i = 0; i < threads.Length; i++)
        {
            w.UInt32(threads[i].Id).UInt64((ulong)names[i]);
        }

        return (at, w.Length - at);
    });

    /// <summary>CommentStreamA (10).</summary>
    public static FakeStream CommentA(string text) => Raw(10, [.. Encoding.ASCII.GetBytes(text), 0]);

    /// <summary>CommentStreamW (11).</summary>
    public static FakeStream CommentW(string text) => Raw(11, [.. Encoding.Unicode.GetBytes(text), 0, 0]);

    /// <summary>UnloadedModuleList (14). The entries are longer than the reader needs, as a later version's may be.</summary>
    public static FakeStream UnloadedModules(params (ulong Base, uint Size, uint CheckSum, uint TimeDateStamp, string Name)[] modules) => new(14, w =>
    {
        const int EntrySize = 32;
        int[] names = [.. modules.Select(m => w.CountedString(m.Name))];
        int at = w.Length;
        w.UInt32(12).UInt32(EntrySize).UInt32(modules.Length);
        for (int i = 0; i < modules.Length; i++)
        {
            w.UInt64(modules[i].Base).UInt32(modules[i].Size).UInt32(modules[i].CheckSum).UInt32(modules[i].TimeDateStamp).UInt32(names[i]).UInt64(0);
        }

        return (at, w.Length - at);
    });

    /// <summary>MemoryInfoList (16).</summary>
    public static FakeStream MemoryInfo(
        params (ulong Base, ulong AllocationBase, uint AllocationProtect, ulong Size, uint State, uint Protect, uint Type)[] regions) => new(16, w =>
    {
        int at = w.Length;
        w.UInt32(16).UInt32(48).UInt64((ulong)regions.Length);
        foreach (var r in regions)
        {
            w.UInt64(r.Base).UInt64(r.AllocationBase).UInt32(r.AllocationProtect).UInt32(0).UInt64(r.Size).UInt32(r.State).UInt32(r.Protect).UInt32(r.Type)
                .UInt32(0);
        }

        return (at, w.Length - at);
    });

    /// <summary>Exception (6), with registers of its own: the instruction and stack pointer at the exception.</summary>
    public static FakeStream Exception(uint thread, uint code, ulong address, ulong stackPointer, params ulong[] parameters) => new(6, w =>
    {
        const int ContextSize = 0x4D0;
        int context = w.Length;
        w.PadTo(context + 0x30).UInt32(0x10001F).PadTo(context + 0x98).UInt64(stackPointer).PadTo(context + 0xF8).UInt64(address).PadTo(context + ContextSize);
        int at = w.Length;
        w.UInt32(thread).UInt32(0).UInt32(code).UInt32(0).UInt64(0).UInt64(address).UInt32(parameters.Length).UInt32(0);
        foreach (ulong parameter in parameters)
        {
            w.UInt64(parameter);
        }

        w.PadTo(at + 8 + 152).UInt32(ContextSize).UInt32(context);
        return (at, 168);
    });

    /// <summary>FunctionTable (13) with one dynamic table: header, descriptor, the system's own descriptor, entries.</summary>
    public static FakeStream FunctionTable(ulong minimum, ulong maximum, ulong baseAddress, params (uint Begin, uint End, uint Unwind)[] entries) =>
        new(13, w =>
    {
        const int NativeSize = 0x58;
        int at = w.Length;
        w.UInt32(24).UInt32(32).UInt32(NativeSize).UInt32(12).UInt32(1).UInt32(0);
        int table = w.Length;
        w.UInt64(minimum).UInt64(maximum).UInt64(baseAddress).UInt32(entries.Length).UInt32(0).PadTo(table + 32 + NativeSize);
        foreach ((uint begin, uint end, uint unwind) in entries)
        {
            w.UInt32(begin).UInt32(end).UInt32(unwind);
        }

        return (at, w.Length - at);
    });

    private static FakeStream Raw(uint type, byte[] bytes) => new(type, w =>
    {
        int at = w.Length;
        w.Bytes(bytes);
        return (at, bytes.Length);
    });
}
