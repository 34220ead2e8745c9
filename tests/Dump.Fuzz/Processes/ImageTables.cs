using System.Buffers.Binary;
using System.Text;

namespace Dump.Fuzz.Processes;

/// <summary>Writes export and TLS tables into the hand-built image, by offsets of Microsoft's "PE Format" specification.</summary>
internal static class ImageTables
{
    public const int ExportDirectory = 0x2000;
    public const int ExportSize = 0x400;
    public const uint OrdinalBase = 5;
    private const int OptionalHeader = 0x98;
    private const int Directories = OptionalHeader + 112;
    private const int FunctionTable = 0x2028;
    private const int NameTable = 0x2080;
    private const int OrdinalTable = 0x20C0;
    private const int Texts = 0x2100;
    private const int TlsDirectory = 0x2600;

    /// <summary>Exports by name, with the function's address and its index in the table of addresses. Names are written in the given order.</summary>
    public static void Exports(this HandBuiltProcess process, params (string Name, int Index, int Rva)[] exports)
    {
        Directory(process, 0, ExportDirectory, ExportSize);
        Write(process, ExportDirectory + 16, (int)OrdinalBase);
        Write(process, ExportDirectory + 20, exports.Max(e => e.Index) + 1);
        Write(process, ExportDirectory + 24, exports.Length);
        Write(process, ExportDirectory + 28, FunctionTable);
        Write(process, ExportDirectory + 32, NameTable);
        Write(process, ExportDirectory + 36, OrdinalTable);
        int text = Texts;
        for (int i = 0; i < exports.Length; i++)
        {
            Write(process, FunctionTable + 4 * exports[i].Index, exports[i].Rva);
            Write(process, NameTable + 4 * i, text);
            BinaryPrimitives.WriteUInt16LittleEndian(process.Image[(OrdinalTable + 2 * i)..], (ushort)exports[i].Index);
            Encoding.ASCII.GetBytes(exports[i].Name + "\0").CopyTo(process.Image[text..]);
            text += exports[i].Name.Length + 1;
        }
    }

    /// <summary>A TLS directory whose table of callbacks holds these absolute addresses; a zero behind them ends it.</summary>
    public static void TlsCallbacks(this HandBuiltProcess process, params ulong[] callbacks)
    {
        const int Table = 0x2700;
        Directory(process, 9, TlsDirectory, 0x28);
        BinaryPrimitives.WriteUInt64LittleEndian(process.Image[(TlsDirectory + 24)..], HandBuiltProcess.Base + Table);
        for (int i = 0; i < callbacks.Length; i++)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(process.Image[(Table + 8 * i)..], callbacks[i]);
        }
    }

    public static void EntryPoint(this HandBuiltProcess process, int rva) => Write(process, OptionalHeader + 16, rva);

    public static void Write(this HandBuiltProcess process, int rva, int value) => BinaryPrimitives.WriteInt32LittleEndian(process.Image[rva..], value);

    public static void Directory(this HandBuiltProcess process, int index, int rva, int size)
    {
        Write(process, Directories + 8 * index, rva);
        Write(process, Directories + 8 * index + 4, size);
    }
}
