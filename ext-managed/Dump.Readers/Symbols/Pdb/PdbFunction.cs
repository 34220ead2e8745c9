using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Readers.Pe;

namespace Dump.Readers.Symbols.Pdb;

/// <summary>A function of a program database.</summary>
/// <param name="Rva">Where it begins, relative to the image.</param>
/// <param name="Length">Length of its code in bytes; null for a public symbol, which does not tell.</param>
/// <param name="Name">Its name, sanitised; decorated only where <see cref="DecoratedName"/> leaves it so.</param>
/// <param name="Source">Kind of record.</param>
internal readonly record struct PdbFunction(uint Rva, uint? Length, string Name, SymbolSource Source);

/// <summary>The functions of a program database by address. Names stay in the file until they are asked for. Safe for concurrent use.</summary>
internal sealed class PdbFunctionTable
{
    private const int MaxNames = 256;
    private readonly Entry[] _publics;
    private readonly Entry[] _procedures;

    private PdbFunctionTable(List<Entry> publics, List<Entry> procedures)
    {
        _publics = Sorted(publics);
        _procedures = Sorted(procedures);
    }

    /// <summary>Number of functions: public symbols and procedures, which often name the same code.</summary>
    public int Count => _publics.Length + _procedures.Length;

    /// <summary>Reads public symbols that are functions, and procedures.</summary>
    /// <exception cref="InvalidPdbException">The records are damaged or too many.</exception>
    public static PdbFunctionTable Read(DebugInformation information, ImmutableArray<PeSection> sections, int limit)
    {
        List<Entry> publics = [];
        List<Entry> procedures = [];
        MsfStream records = information.SymbolRecords;
        foreach (SymbolRecord record in SymbolRecord.Between(records, 0, records.Size))
        {
            if (record.Kind != PdbLayout.Public)
            {
                continue;
            }

            record.Require(PdbLayout.PublicName);
            if (IsFunction(record.UInt32(PdbLayout.PublicFlags))
                && Address(record, PdbLayout.PublicOffset, PdbLayout.PublicSection, sections, mustExecute: true) is { } rva)
            {
                Add(publics, new Entry(rva, 0, record));
            }
        }

        foreach (PdbModule module in information.Modules())
        {
            foreach (SymbolRecord record in SymbolRecord.Between(module.Stream, sizeof(uint), module.SymbolsEnd))
            {
                if (!IsProcedure(record.Kind))
                {
                    continue;
                }

                record.Require(PdbLayout.ProcedureName);
                if (Address(record, PdbLayout.ProcedureOffset, PdbLayout.ProcedureSection, sections, mustExecute: true) is { } rva)
                {
                    Add(procedures, new Entry(rva, record.UInt32(PdbLayout.ProcedureLength), record));
                }
            }
        }

        return new PdbFunctionTable(publics, procedures);

        void Add(List<Entry> list, Entry entry)
        {
            list.Add(publics.Count + procedures.Count < limit ? entry : throw new InvalidPdbException($"it has more than {limit} functions"));
        }
    }

    /// <summary>Address of a record's symbol; null when it lies in no section, as constants do, or in one that is not executable though it must be.</summary>
    /// <exception cref="InvalidPdbException">The record is damaged.</exception>
    public static uint? Address(SymbolRecord record, int offsetField, int sectionField, ImmutableArray<PeSection> sections, bool mustExecute) =>
        Address(record.UInt16(sectionField), record.UInt32(offsetField), sections, mustExecute);

    /// <summary>The same of a section's number and an offset in it.</summary>
    public static uint? Address(int number, uint offset, ImmutableArray<PeSection> sections, bool mustExecute) =>
        number > 0 && number <= sections.Length && sections[number - 1] is var section
            && (section.IsExecutable || !mustExecute) && offset < section.VirtualSize && section.VirtualAddress <= uint.MaxValue - offset
            ? section.VirtualAddress + offset
            : null;

    /// <summary>The function that begins exactly at an address; null when there is none.</summary>
    /// <param name="rva">Relative address.</param>
    /// <param name="preferred">A name to take when the address has it among several; null for none.</param>
    /// <remarks>
    /// Of several names the preferred one comes first, then those of procedures, then undecorated ones; an
    /// <c>Nt</c> name comes before others, a <c>Zw</c> name last, else the first by spelling.
    /// </remarks>
    public PdbFunction? At(uint rva, string? preferred) =>
        Range(_procedures, rva).Take(MaxNames).Select(Procedure).Concat(Range(_publics, rva).Take(MaxNames).Select(Public))
            .Where(function => function.Name.Length > 0)
            .OrderBy(function => function.Name != preferred)
            .ThenBy(function => function.Source != SymbolSource.Procedure)
            .ThenBy(function => function.Name.StartsWith('?'))
            .ThenBy(function => PeExports.Preference(function.Name))
            .ThenBy(function => function.Name, StringComparer.Ordinal)
            .Select(function => (PdbFunction?)function)
            .FirstOrDefault();

    /// <summary>The procedure whose code covers an address; null when none does. Public symbols have no length, so none of them covers anything.</summary>
    public PdbFunction? Covering(uint rva)
    {
        int after = FirstAfter(_procedures, rva);
        return after > 0 && At(_procedures[after - 1].Rva, null) is { Length: { } length } procedure && rva - procedure.Rva < length ? procedure : null;
    }

    /// <summary>A public symbol is a function when the linker says so and it is not code of the .NET runtime's intermediate language.</summary>
    private static bool IsFunction(uint flags) =>
        (flags & (PdbLayout.PublicIsCode | PdbLayout.PublicIsFunction)) != 0 && (flags & PdbLayout.PublicIsIntermediate) == 0;

    private static bool IsProcedure(ushort kind) => kind is
        PdbLayout.GlobalProcedure or PdbLayout.LocalProcedure or PdbLayout.GlobalProcedureById or PdbLayout.LocalProcedureById;

    private static PdbFunction Public(Entry entry) =>
        new(entry.Rva, null, DecoratedName.Simplify(entry.Record.Name(PdbLayout.PublicName)), SymbolSource.PublicSymbol);

    private static PdbFunction Procedure(Entry entry) =>
        new(entry.Rva, entry.Length, entry.Record.Name(PdbLayout.ProcedureName), SymbolSource.Procedure);

    private static Entry[] Sorted(List<Entry> entries)
    {
        Entry[] sorted = [.. entries];
        Array.Sort(sorted, static (x, y) => x.Rva != y.Rva ? x.Rva.CompareTo(y.Rva) : x.Record.Offset.CompareTo(y.Record.Offset));
        return sorted;
    }

    private static IEnumerable<Entry> Range(Entry[] entries, uint rva)
    {
        for (int i = SortedSearch.CountBelow<Entry>(entries, rva, e => e.Rva); i < entries.Length && entries[i].Rva == rva; i++)
        {
            yield return entries[i];
        }
    }

    private static int FirstAfter(Entry[] entries, uint rva) => SortedSearch.CountUpTo<Entry>(entries, rva, e => e.Rva);

    private readonly record struct Entry(uint Rva, uint Length, SymbolRecord Record);
}

/// <summary>
/// C++ names as Microsoft's compiler decorates them: <c>?name@inner@outer@@</c>, then an encoding of the type. Only names made of plain identifiers are
/// simplified; operators, templates, anonymous namespaces and references to earlier parts keep their decoration. C names on x64 have none; on x86 those of
/// functions that take their arguments off the stack are <c>_name@bytes</c> and <c>@name@bytes</c>.
/// </summary>
internal static class DecoratedName
{
    /// <summary>The name as <c>outer::inner::name</c> where that is certain, else unchanged.</summary>
    public static string Simplify(string name)
    {
        if (name.Length > 2 && name[0] is '_' or '@' && name.LastIndexOf('@') is var bytes and > 1
            && bytes + 1 < name.Length && name.AsSpan(bytes + 1).IndexOfAnyExceptInRange('0', '9') < 0 && IsIdentifier(name[1..bytes]))
        {
            return name[1..bytes];
        }

        int end = name.IndexOf("@@", StringComparison.Ordinal);
        if (!name.StartsWith('?') || end < 0 || end + 2 == name.Length)
        {
            return name;
        }

        string[] parts = name[1..end].Split('@');
        if (!parts.All(IsIdentifier))
        {
            return name;
        }

        Array.Reverse(parts);
        return string.Join("::", parts);
    }

    private static bool IsIdentifier(string part) =>
        part.Length > 0 && !char.IsAsciiDigit(part[0]) && part.All(c => char.IsAsciiLetterOrDigit(c) || c == '_');
}
