namespace Dump.Readers.Pe;

/// <summary>
/// The symbol table of object files, which GCC's linker leaves in images. Source: Microsoft's "PE Format" specification, "COFF Symbol Table".
/// </summary>
internal static class CoffLayout
{
    public const int SymbolSize = 18;
    public const int NameSize = 8;

    /// <summary>Where the name is longer than its place, that begins with four zero bytes, and the offset in the table of strings follows.</summary>
    public const int NameOffset = 4;
    public const int Value = 8;

    /// <summary>Number of the section, counted from 1; 0 and negative numbers are none.</summary>
    public const int SectionNumber = 12;
    public const int Type = 14;

    /// <summary>The kind of a function, above the basic type.</summary>
    public const ushort FunctionType = 0x20;
    public const ushort KindMask = 0x30;
    public const int StorageClass = 16;
    public const byte ClassExternal = 2;
    public const byte ClassStatic = 3;

    /// <summary>How many entries of another form follow.</summary>
    public const int AuxiliaryCount = 17;

    /// <summary>The table of strings follows the symbols, and begins with its own size.</summary>
    public const int StringsSize = 4;
}
