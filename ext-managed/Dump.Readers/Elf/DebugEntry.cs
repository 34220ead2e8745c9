namespace Dump.Readers.Elf;

/// <summary>What is kept of an entry of a unit: the attributes that functions, their code and the calls of inlined ones are described by.</summary>
internal struct DebugEntry
{
    /// <summary>Where it begins in the section.</summary>
    public int Offset;

    /// <summary>What it describes; 0 behind the last entry inside of another one.</summary>
    public ulong Tag;

    /// <summary>True when entries inside of it follow.</summary>
    public bool HasInner;

    public DebugValue? Name;
    public DebugValue? LinkageName;
    public DebugValue? Low;
    public DebugValue? High;
    public DebugValue? Ranges;
    public DebugValue? Origin;
    public DebugValue? Specification;
    public ulong? DeclaredIn;
    public ulong? CallFile;
    public ulong? CallLine;
    public ulong? CallColumn;
    public DebugValue? Lines;
    public DebugValue? TextOffsets;
    public DebugValue? Addresses;
    public DebugValue? RangeLists;
}
