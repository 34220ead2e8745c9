using System.Runtime.InteropServices;
using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.Elf;

/// <summary>The entries of <c>.debug_info</c> and the sections that they lead to. Nothing of it is trusted; what is not sound is not there.</summary>
internal sealed class DebugInformation
{
    private const int MostUnits = 1_000_000;
    private const int MostTables = 4_096;
    private const long NanosecondsOfUnit = 500;
    private const long BytesOfUnit = 256;
    private const long NanosecondsOfEntry = 150;
    private const int MostRangesOfList = 10_000;
    private const long NanosecondsOfRange = 50;
    private readonly byte[] _entries;
    private readonly byte[] _declarations;
    private readonly LineSections _texts;
    private readonly Lazy<byte[]?> _ranges;
    private readonly Lazy<byte[]?> _rangeLists;
    private readonly Lazy<byte[]?> _addresses;
    private readonly Lazy<byte[]?> _textOffsets;
    private readonly Dictionary<int, DebugDeclarations> _tables = [];
    private readonly List<DebugUnit> _units = [];

    private DebugInformation(byte[] entries, byte[] declarations, LineSections texts)
    {
        (_entries, _declarations, _texts) = (entries, declarations, texts);
        _ranges = new(() => texts.Section(".debug_ranges"));
        _rangeLists = new(() => texts.Section(".debug_rnglists"));
        _addresses = new(() => texts.Section(".debug_addr"));
        _textOffsets = new(() => texts.Section(".debug_str_offsets"));
    }

    /// <summary>The units, in the order of the section.</summary>
    public IReadOnlyList<DebugUnit> Units => _units;

    /// <summary>Reads which units there are; null where the file has none.</summary>
    /// <param name="sections">Its sections.</param>
    public static DebugInformation? Read(LineSections sections)
    {
        if (sections.Section(".debug_info") is not { } entries || sections.Section(".debug_abbrev") is not { } declarations)
        {
            return null;
        }

        DebugInformation information = new(entries, declarations, sections);
        for (int offset = 0, next; offset < entries.Length && information._units.Count < MostUnits; offset = next)
        {
            if (!WorkBudget.Take(NanosecondsOfUnit) || !WorkBudget.Hold(BytesOfUnit))
            {
                break;
            }

            if (DebugUnit.Read(entries, declarations.Length, offset, out next) is { } unit)
            {
                information.Add(unit);
            }
        }

        return information;
    }

    /// <summary>The unit that a place of the section lies in; null where none does.</summary>
    public DebugUnit? UnitAt(ulong offset) =>
        SortedSearch.CountUpTo<DebugUnit>(CollectionsMarshal.AsSpan(_units), offset, u => (ulong)u.Offset) is > 0 and var count && _units[count - 1] is var unit
            && offset >= (ulong)unit.Entries && offset < (ulong)unit.End ? unit : null;

    /// <summary>Reads an entry and goes behind it; false at the unit's end, and where it is not sound.</summary>
    /// <param name="unit">The unit.</param>
    /// <param name="position">Where the entry begins; then where the next one does.</param>
    /// <param name="entry">The entry.</param>
    public bool Next(DebugUnit unit, ref int position, out DebugEntry entry)
    {
        entry = new DebugEntry { Offset = position };
        if (position >= unit.End || !WorkBudget.Take(NanosecondsOfEntry))
        {
            return false;
        }

        DwarfReader reader = new(_entries.AsSpan(position, unit.End - position), 0);
        ulong code = reader.Unsigned();
        if (code != 0)
        {
            if (Table(unit).Find(code) is not { } declaration)
            {
                return false;
            }

            (entry.Tag, entry.HasInner) = (declaration.Tag, declaration.HasInner);
            foreach ((ulong attribute, ulong form, long constant) in declaration.Attributes)
            {
                if (!Read(ref reader, unit, position, attribute, form, constant, ref entry))
                {
                    return false;
                }
            }
        }

        position += reader.Position;
        return !reader.IsBroken;
    }

    /// <summary>A text; null when it is not there.</summary>
    public string? Text(DebugUnit unit, DebugValue? value) => value switch
    {
        null => null,
        { Form: UnitLayout.InlineText, Number: var at } => LineSections.TextAt(_entries, at),
        { Form: UnitLayout.Text, Number: var at } => LineSections.TextAt(_texts.Texts, at),
        { Form: UnitLayout.LineText, Number: var at } => LineSections.TextAt(_texts.LineTexts, at),
        { Number: var index } => At(_textOffsets.Value, unit.TextOffsets, index, unit.IsLong ? sizeof(ulong) : sizeof(uint)) is { } at
            ? LineSections.TextAt(_texts.Texts, at) : null,
    };

    /// <summary>Where the entry begins that another one refers to; null where that is in another file.</summary>
    public static ulong? Reference(DebugUnit unit, DebugValue? value) => value switch
    {
        { Form: UnitLayout.Reference1 or UnitLayout.Reference2 or UnitLayout.Reference4 or UnitLayout.Reference8 or UnitLayout.ReferenceNumber, Number: var at } =>
            at < (ulong)(unit.End - unit.Offset) ? (ulong)unit.Offset + at : null,
        { Form: UnitLayout.ReferenceAddress, Number: var at } => at,
        _ => null,
    };

    /// <summary>The code of an entry, as pieces from their first to behind their last byte.</summary>
    public void Code(DebugUnit unit, in DebugEntry entry, List<(ulong Start, ulong End)> found)
    {
        if (entry.Ranges is { } ranges)
        {
            if (unit.Version >= UnitLayout.VersionWithTypes)
            {
                ReadList(unit, ranges, found);
            }
            else
            {
                ReadPairs(unit, ranges.Number, found);
            }
        }
        else if (Address(unit, entry.Low) is { } low && entry.High is { } high)
        {
            Add(found, low, UnitLayout.IsAddress(high.Form) ? Address(unit, high) ?? 0 : unchecked(low + high.Number));
        }
    }

    private static void Add(List<(ulong Start, ulong End)> found, ulong start, ulong end)
    {
        // Code that the linker left out is at 0.
        if (start > 0 && end > start)
        {
            found.Add((start, end));
        }
    }

    private void Add(DebugUnit unit)
    {
        int position = unit.Entries;
        if (!Next(unit, ref position, out DebugEntry root))
        {
            return;
        }

        _units.Add(unit with
        {
            Lines = root.Lines?.Number,
            Base = root.Low,
            TextOffsets = root.TextOffsets?.Number ?? UnitLayout.FirstTextOffset,
            Addresses = root.Addresses?.Number ?? UnitLayout.FirstAddress,
            RangeLists = root.RangeLists?.Number ?? UnitLayout.FirstRangeList,
        });
    }

    private DebugDeclarations Table(DebugUnit unit)
    {
        if (!_tables.TryGetValue(unit.Declarations, out DebugDeclarations? table))
        {
            if (_tables.Count >= MostTables)
            {
                _tables.Clear();
            }

            _tables.Add(unit.Declarations, table = DebugDeclarations.Read(_declarations, unit.Declarations));
        }

        return table;
    }

    private static bool Read(ref DwarfReader reader, DebugUnit unit, int start, ulong attribute, ulong form, long constant, ref DebugEntry entry)
    {
        if (!UnitLayout.IsKept(attribute))
        {
            return UnitForms.Skip(ref reader, form, unit.IsLong);
        }

        if (Value(ref reader, unit, start, form, constant) is not { } value)
        {
            return UnitForms.Skip(ref reader, form, unit.IsLong);
        }

        switch (attribute)
        {
            case UnitLayout.Name: entry.Name = value; break;
            case UnitLayout.LinkageName or UnitLayout.OldLinkageName: entry.LinkageName = value; break;
            case UnitLayout.Low: entry.Low = value; break;
            case UnitLayout.High: entry.High = value; break;
            case UnitLayout.Ranges: entry.Ranges = value; break;
            case UnitLayout.Origin: entry.Origin = value; break;
            case UnitLayout.Specification: entry.Specification = value; break;
            case UnitLayout.DeclaredIn: entry.DeclaredIn = value.Number; break;
            case UnitLayout.CallFile: entry.CallFile = value.Number; break;
            case UnitLayout.CallLine: entry.CallLine = value.Number; break;
            case UnitLayout.CallColumn: entry.CallColumn = value.Number; break;
            case UnitLayout.Lines: entry.Lines = value; break;
            case UnitLayout.TextOffsets: entry.TextOffsets = value; break;
            case UnitLayout.Addresses: entry.Addresses = value; break;
            case UnitLayout.RangeLists: entry.RangeLists = value; break;
        }

        return !reader.IsBroken;
    }

    /// <summary>A value that is a number in one of its forms; null, with nothing read, for one in another form.</summary>
    private static DebugValue? Value(ref DwarfReader reader, DebugUnit unit, int start, ulong form, long constant)
    {
        if (form == UnitLayout.ImplicitConstant)
        {
            return new DebugValue(form, unchecked((ulong)constant));
        }

        if (form == UnitLayout.InlineText)
        {
            ulong at = (ulong)(start + reader.Position);
            reader.Text();
            return new DebugValue(form, at);
        }

        if (UnitLayout.IsOffset(form))
        {
            return new DebugValue(form, UnitForms.Offset(ref reader, unit.IsLong));
        }

        return UnitLayout.IsNumber(form) ? new DebugValue(form, form == UnitLayout.SignedNumber ? unchecked((ulong)reader.Signed()) : reader.Unsigned())
            : UnitLayout.FixedSize(form) switch
            {
                1 => new DebugValue(form, reader.Byte()),
                2 => new DebugValue(form, reader.UInt16()),
                3 => new DebugValue(form, reader.UInt16() | ((ulong)reader.Byte() << 16)),
                4 => new DebugValue(form, reader.UInt32()),
                8 => new DebugValue(form, reader.UInt64()),
                _ => null,
            };
    }

    private ulong? Address(DebugUnit unit, DebugValue? value) => value switch
    {
        null => null,
        { Form: UnitLayout.Address, Number: var address } => address,
        { Form: var form, Number: var index } when UnitLayout.IsAddress(form) => At(_addresses.Value, unit.Addresses, index, sizeof(ulong)),
        _ => null,
    };

    /// <summary>A number in a table of numbers; null where the table or the place is not there.</summary>
    private static ulong? At(byte[]? section, ulong start, ulong index, int size)
    {
        if (section is null || start > (ulong)section.Length || index >= ((ulong)section.Length - start) / (ulong)size)
        {
            return null;
        }

        DwarfReader reader = new(section.AsSpan((int)(start + (index * (ulong)size))), 0);
        return size == sizeof(ulong) ? reader.UInt64() : reader.UInt32();
    }

    /// <summary>Ranges of DWARF 2 to 4: pairs of addresses relative to a base.</summary>
    private void ReadPairs(DebugUnit unit, ulong offset, List<(ulong Start, ulong End)> found)
    {
        if (_ranges.Value is not { } section || offset >= (ulong)section.Length)
        {
            return;
        }

        DwarfReader reader = new(section.AsSpan((int)offset), 0);
        ulong start = Address(unit, unit.Base) ?? 0;
        for (int i = 0; i < MostRangesOfList && !reader.IsAtEnd && WorkBudget.Take(NanosecondsOfRange); i++)
        {
            ulong first = reader.UInt64(), second = reader.UInt64();
            if (first == 0 && second == 0)
            {
                return;
            }

            if (first == ulong.MaxValue)
            {
                start = second;
            }
            else
            {
                Add(found, unchecked(start + first), unchecked(start + second));
            }
        }
    }

    /// <summary>A range list of DWARF 5.</summary>
    private void ReadList(DebugUnit unit, DebugValue value, List<(ulong Start, ulong End)> found)
    {
        if (_rangeLists.Value is not { } section)
        {
            return;
        }

        ulong? offset = value.Form != UnitLayout.RangeListIndex ? value.Number
            : At(section, unit.RangeLists, value.Number, unit.IsLong ? sizeof(ulong) : sizeof(uint)) is { } distance ? unchecked(unit.RangeLists + distance) : null;
        if (offset is not { } at || at >= (ulong)section.Length)
        {
            return;
        }

        DwarfReader reader = new(section.AsSpan((int)at), 0);
        ulong start = Address(unit, unit.Base) ?? 0;
        for (int i = 0; i < MostRangesOfList && !reader.IsAtEnd && WorkBudget.Take(NanosecondsOfRange); i++)
        {
            switch (reader.Byte())
            {
                case UnitLayout.RangeBaseIndex:
                    start = Indexed(reader.Unsigned());
                    break;
                case UnitLayout.RangeIndexes:
                    Add(found, Indexed(reader.Unsigned()), Indexed(reader.Unsigned()));
                    break;
                case UnitLayout.RangeIndexLength:
                    ulong indexed = Indexed(reader.Unsigned());
                    Add(found, indexed, unchecked(indexed + reader.Unsigned()));
                    break;
                case UnitLayout.RangeOffsets:
                    Add(found, unchecked(start + reader.Unsigned()), unchecked(start + reader.Unsigned()));
                    break;
                case UnitLayout.RangeBase:
                    start = reader.UInt64();
                    break;
                case UnitLayout.RangeAddresses:
                    Add(found, reader.UInt64(), reader.UInt64());
                    break;
                case UnitLayout.RangeAddressLength:
                    ulong first = reader.UInt64();
                    Add(found, first, unchecked(first + reader.Unsigned()));
                    break;
                default:
                    return;
            }
        }

        ulong Indexed(ulong index) => At(_addresses.Value, unit.Addresses, index, sizeof(ulong)) ?? 0;
    }
}

/// <summary>The declarations of the entries of units: tag, whether there are inner entries, attributes with their forms.</summary>
internal sealed class DebugDeclarations
{
    private const int MostDeclarations = 100_000;
    private const int MostAttributes = 256;
    private const long BytesOfDeclaration = 512;
    private const long NanosecondsOfDeclaration = 500;
    private readonly Dictionary<ulong, DebugDeclaration> _declarations = [];

    /// <summary>Reads a table; one that is not sound ends where it stops being so.</summary>
    /// <param name="section"><c>.debug_abbrev</c>.</param>
    /// <param name="offset">Where the table begins.</param>
    public static DebugDeclarations Read(byte[] section, int offset)
    {
        DebugDeclarations table = new();
        DwarfReader reader = new(section.AsSpan(offset), 0);
        while (table._declarations.Count < MostDeclarations && reader.Unsigned() is > 0 and var code && !reader.IsBroken
            && WorkBudget.Take(NanosecondsOfDeclaration) && WorkBudget.Hold(BytesOfDeclaration))
        {
            ulong tag = reader.Unsigned();
            bool hasInner = reader.Byte() != 0;
            List<(ulong, ulong, long)> attributes = [];
            while (!reader.IsBroken && (reader.Unsigned(), reader.Unsigned()) is var (attribute, form) && (attribute != 0 || form != 0))
            {
                if (attributes.Count == MostAttributes)
                {
                    return table;
                }

                attributes.Add((attribute, form, form == UnitLayout.ImplicitConstant ? reader.Signed() : 0));
            }

            table._declarations.TryAdd(code, new DebugDeclaration(tag, hasInner, [.. attributes]));
        }

        return table;
    }

    /// <summary>The declaration of a code; null when it is not there.</summary>
    public DebugDeclaration? Find(ulong code) => _declarations.GetValueOrDefault(code);
}

/// <summary>A declaration.</summary>
/// <param name="Tag">What the entry describes.</param>
/// <param name="HasInner">True when entries inside of it follow.</param>
/// <param name="Attributes">Its attributes, their forms, and values that stand in the declaration itself.</param>
internal sealed record DebugDeclaration(ulong Tag, bool HasInner, (ulong Attribute, ulong Form, long Constant)[] Attributes);
