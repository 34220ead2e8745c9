using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.Elf;

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
