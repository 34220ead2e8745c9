using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.Elf;

/// <summary>Passes over the values of attributes, by their forms.</summary>
internal static class UnitForms
{
    /// <summary>Passes over a value; false where the form is unknown, so that nothing behind it can be read.</summary>
    public static bool Skip(ref DwarfReader unit, ulong form, bool isLong)
    {
        if (UnitLayout.FixedSize(form) is { } size)
        {
            unit.Take(size);
        }
        else if (UnitLayout.IsOffset(form))
        {
            Offset(ref unit, isLong);
        }
        else if (UnitLayout.IsNumber(form))
        {
            unit.Unsigned();
        }
        else if (form == UnitLayout.InlineText)
        {
            unit.Text();
        }
        else if (Length(ref unit, form) is { } length)
        {
            unit.Take((int)Math.Min(length, int.MaxValue));
        }
        else
        {
            return false;
        }

        return !unit.IsBroken;
    }

    /// <summary>An offset into another section: of 8 bytes where the unit's are.</summary>
    public static ulong Offset(ref DwarfReader reader, bool isLong) => isLong ? reader.UInt64() : reader.UInt32();

    private static ulong? Length(ref DwarfReader unit, ulong form) => form switch
    {
        UnitLayout.Block1 => unit.Byte(),
        UnitLayout.Block2 => unit.UInt16(),
        UnitLayout.Block4 => unit.UInt32(),
        UnitLayout.Block or UnitLayout.Expression => unit.Unsigned(),
        _ => null,
    };
}
