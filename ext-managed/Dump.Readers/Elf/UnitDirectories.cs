using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.Elf;

/// <summary>
/// Where units were compiled, by the place of their line number program: before DWARF 5 only the unit itself says it (<c>DW_AT_comp_dir</c>), and paths in the
/// program are relative to it.
/// </summary>
internal sealed class UnitDirectories
{
    private const int MostUnits = 1_000_000;
    private const int MostAttributes = 64;

    // Of all units together: that of a unit is the first one of its table.
    private const int MostDeclared = 10_000_000;
    private readonly Dictionary<ulong, string> _directories = [];
    private int _declared;

    private UnitDirectories()
    {
    }

    /// <summary>Reads those of all units of a file; one that is not sound is passed over.</summary>
    /// <param name="sections">Its sections.</param>
    public static UnitDirectories Read(LineSections sections)
    {
        UnitDirectories found = new();
        if (sections.Section(".debug_info") is not { } units || sections.Section(".debug_abbrev") is not { } declarations)
        {
            return found;
        }

        for (int at = 0, count = 0; at < units.Length && count < MostUnits; count++)
        {
            DwarfReader reader = new(units.AsSpan(at), 0);
            uint first = reader.UInt32();
            bool isLong = first == LineLayout.Extended;
            ulong length = isLong ? reader.UInt64() : first;
            if (reader.IsBroken || length > (ulong)(units.Length - at - reader.Position))
            {
                break;
            }

            DwarfReader unit = new(reader.Take((int)length), 0);
            found.Add(ref unit, isLong, declarations, sections);
            at += reader.Position;
        }

        return found;
    }

    /// <summary>The directory of the unit whose line number program begins at a place; null when unknown.</summary>
    public string? Of(int lines) => _directories.GetValueOrDefault((ulong)lines);

    private void Add(ref DwarfReader unit, bool isLong, byte[] declarations, LineSections sections)
    {
        ushort version = unit.UInt16();
        if (version is < UnitLayout.FirstVersion or > UnitLayout.VersionWithTypes)
        {
            return;
        }

        byte kind = version >= UnitLayout.VersionWithTypes ? unit.Byte() : (byte)0;
        ulong table;
        if (version >= UnitLayout.VersionWithTypes)
        {
            byte size = unit.Byte();
            table = UnitForms.Offset(ref unit, isLong);
            unit.Take(kind is UnitLayout.TypeUnit or (>= UnitLayout.SkeletonUnit and <= UnitLayout.SplitTypeUnit) ? sizeof(ulong) : 0);
            unit.Take(kind is UnitLayout.TypeUnit or UnitLayout.SplitTypeUnit ? (isLong ? sizeof(ulong) : sizeof(uint)) : 0);
            table = size == sizeof(ulong) ? table : ulong.MaxValue;
        }
        else
        {
            table = UnitForms.Offset(ref unit, isLong);
            table = unit.Byte() == sizeof(ulong) ? table : ulong.MaxValue;
        }

        if (!unit.IsBroken && table < (ulong)declarations.Length)
        {
            Add(ref unit, isLong, new DwarfReader(declarations.AsSpan((int)table), 0), sections);
        }
    }

    /// <summary>Reads the unit's own attributes, as they are declared.</summary>
    private void Add(ref DwarfReader unit, bool isLong, DwarfReader declarations, LineSections sections)
    {
        ulong code = unit.Unsigned();
        if (code == 0 || !Seek(ref declarations, code))
        {
            return;
        }

        ulong? lines = null;
        string? directory = null;
        for (int i = 0; i < MostAttributes && !declarations.IsAtEnd && !unit.IsBroken; i++)
        {
            ulong attribute = declarations.Unsigned(), form = declarations.Unsigned();
            if (form == UnitLayout.ImplicitConstant)
            {
                declarations.Signed();
            }

            if (attribute == 0 && form == 0)
            {
                break;
            }

            if (attribute == UnitLayout.Lines && form is UnitLayout.SectionOffset or UnitLayout.Bytes4 or UnitLayout.Bytes8)
            {
                lines = form == UnitLayout.Bytes4 || (form == UnitLayout.SectionOffset && !isLong) ? unit.UInt32() : unit.UInt64();
            }
            else if (attribute == UnitLayout.Directory && form is UnitLayout.InlineText or UnitLayout.Text or UnitLayout.LineText)
            {
                directory = form == UnitLayout.InlineText ? LineSections.Decoded(unit.Text())
                    : LineSections.TextAt(form == UnitLayout.Text ? sections.Texts : sections.LineTexts, UnitForms.Offset(ref unit, isLong));
            }
            else if (!UnitForms.Skip(ref unit, form, isLong))
            {
                return;
            }

            if (lines is { } place && directory is not null)
            {
                _directories.TryAdd(place, directory);
                return;
            }
        }
    }

    /// <summary>Goes to the attributes of a declaration; false when it is not there.</summary>
    private bool Seek(ref DwarfReader declarations, ulong code)
    {
        while (_declared++ < MostDeclared && !declarations.IsAtEnd)
        {
            ulong own = declarations.Unsigned();
            declarations.Unsigned();
            declarations.Byte();
            if (own == code || own == 0)
            {
                return own != 0;
            }

            while (!declarations.IsAtEnd && (declarations.Unsigned(), declarations.Unsigned()) is var (attribute, form) && (attribute != 0 || form != 0))
            {
                _declared++;
                if (form == UnitLayout.ImplicitConstant)
                {
                    declarations.Signed();
                }
            }
        }

        return false;
    }
}
