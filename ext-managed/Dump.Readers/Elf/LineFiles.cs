using Dump.Model.Text;
using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.Elf;

/// <summary>The paths of the source files of one unit's line number program.</summary>
internal sealed class LineFiles
{
    private const int MostEntries = 100_000;
    private const int MostFormats = 32;
    private const int LongestPath = 1_024;
    private readonly List<(string Path, ulong Directory)> _files = [];
    private readonly List<string> _directories = [];
    private readonly int _firstFile;

    private LineFiles(int firstFile) => _firstFile = firstFile;

    /// <summary>Reads the tables; those that are not sound end where they stop being so.</summary>
    /// <param name="sections">The sections.</param>
    /// <param name="unit">The unit.</param>
    /// <param name="directory">Where it was compiled, for versions before 5, which do not have it here; null when unknown.</param>
    public static LineFiles Read(LineSections sections, LineUnit unit, string? directory)
    {
        DwarfReader reader = new(sections.Lines.AsSpan(unit.Tables, Math.Max(unit.Program - unit.Tables, 0)), 0);
        LineFiles files = new(unit.Version >= LineLayout.VersionWithFormats ? 0 : 1);
        if (unit.Version >= LineLayout.VersionWithFormats)
        {
            files.ReadTable(ref reader, sections, unit, (path, _) => files._directories.Add(path));
            files.ReadTable(ref reader, sections, unit, (path, of) => files._files.Add((path, of)));
        }
        else
        {
            files._directories.Add(directory ?? "");
            files.ReadLists(ref reader);
        }

        return files;
    }

    /// <summary>The path of a file by its number; null when there is none. It is relative where it is not known where the unit was compiled.</summary>
    public string? PathOf(ulong number)
    {
        ulong index = unchecked(number - (ulong)_firstFile);
        if (index >= (ulong)_files.Count || _files[(int)index] is not { Path.Length: > 0 } file)
        {
            return null;
        }

        string directory = file.Directory < (ulong)_directories.Count ? _directories[(int)file.Directory] : "";
        string path = Joined(_directories.Count > 0 && file.Directory > 0 ? _directories[0] : "", Joined(directory, file.Path));
        return SafeText.Clean(path, LongestPath);
    }

    private static string Joined(string directory, string path) => directory.Length == 0 || path.StartsWith('/') ? path : $"{directory.TrimEnd('/')}/{path}";

    /// <summary>A table of DWARF 5: what its entries hold, how many there are, and they.</summary>
    private void ReadTable(ref DwarfReader reader, LineSections sections, LineUnit unit, Action<string, ulong> add)
    {
        (ulong Content, ulong Form)[] formats = new (ulong, ulong)[reader.Byte()];
        for (int i = 0; i < formats.Length; i++)
        {
            formats[i] = (reader.Unsigned(), reader.Unsigned());
        }

        // Entries without contents take no bytes, so that any number of them would fit.
        ulong count = formats.Length is 0 or > MostFormats ? 0 : Math.Min(reader.Unsigned(), MostEntries);
        if (formats.Length == 0)
        {
            reader.Unsigned();
        }

        for (ulong i = 0; i < count && !reader.IsAtEnd; i++)
        {
            string path = "";
            ulong directory = 0;
            foreach ((ulong content, ulong form) in formats)
            {
                (string? text, ulong number, bool isKnown) = Value(ref reader, sections, unit, form);
                if (!isKnown || reader.IsBroken)
                {
                    return;
                }

                path = content == LineLayout.ContentPath ? text ?? "" : path;
                directory = content == LineLayout.ContentDirectory ? number : directory;
            }

            add(path, directory);
        }
    }

    private static (string? Text, ulong Number, bool IsKnown) Value(ref DwarfReader reader, LineSections sections, LineUnit unit, ulong form)
    {
        switch (form)
        {
            case LineLayout.FormText:
                return (LineSections.Decoded(reader.Text()), 0, true);
            case LineLayout.FormTextOffset:
                return (LineSections.TextAt(sections.Texts, Offset(ref reader)), 0, true);
            case LineLayout.FormLineTextOffset:
                return (LineSections.TextAt(sections.LineTexts, Offset(ref reader)), 0, true);
            case LineLayout.FormBytes1:
                return (null, reader.Byte(), true);
            case LineLayout.FormBytes2:
                return (null, reader.UInt16(), true);
            case LineLayout.FormBytes4:
                return (null, reader.UInt32(), true);
            case LineLayout.FormBytes8:
                return (null, reader.UInt64(), true);
            case LineLayout.FormUnsigned:
                return (null, reader.Unsigned(), true);
            case LineLayout.FormBytes16:
                reader.Take(16);
                return (null, 0, true);
            case LineLayout.FormBlock:
                reader.Take((int)Math.Min(reader.Unsigned(), int.MaxValue));
                return (null, 0, true);
            default:
                return (null, 0, false);
        }

        ulong Offset(ref DwarfReader from) => unit.IsLong ? from.UInt64() : from.UInt32();
    }

    /// <summary>The lists of DWARF 2 to 4: directories, and files with directory, time and length; an empty text ends each.</summary>
    private void ReadLists(ref DwarfReader reader)
    {
        while (!reader.IsAtEnd && _directories.Count < MostEntries && reader.Text() is { Length: > 0 } directory)
        {
            _directories.Add(LineSections.Decoded(directory));
        }

        while (!reader.IsAtEnd && _files.Count < MostEntries && reader.Text() is { Length: > 0 } path)
        {
            string name = LineSections.Decoded(path);
            ulong directory = reader.Unsigned();
            reader.Unsigned();
            reader.Unsigned();
            _files.Add((name, directory));
        }
    }
}
