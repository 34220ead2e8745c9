using System.Globalization;
using Dump.Fuzz.Inputs;

namespace Dump.Fuzz.Shipped;

/// <summary>The files of inputs in a scratch folder, as the program is to find them; gone with this object.</summary>
internal sealed class ProgramFiles : IDisposable
{
    /// <summary>Folder of separate debug files, as clients of debuginfod have it.</summary>
    public const string Debug = "debug";

    private const string Dumps = "dumps";
    private const string Images = "images";
    private const string Symbols = "symbols";
    private readonly ScratchFile _scratch = new();

    /// <summary>The whole folder.</summary>
    public string Folder => _scratch.At("");

    /// <summary>Options that name the folders.</summary>
    public string[] Options => ["--images", _scratch.At(Images), "--symbols", _scratch.At(Symbols)];

    /// <summary>Removes all files of earlier inputs.</summary>
    public void Clear()
    {
        foreach (string folder in (string[])[Dumps, Images, Symbols, Debug])
        {
            if (Directory.Exists(_scratch.At(folder)))
            {
                Directory.Delete(_scratch.At(folder), recursive: true);
            }
        }

        Directory.CreateDirectory(_scratch.At(Dumps));
        Directory.CreateDirectory(_scratch.At(Images));
        Directory.CreateDirectory(_scratch.At(Symbols));
    }

    /// <summary>Writes an input; a dump that is there is changed in place.</summary>
    /// <returns>Path of the dump.</returns>
    public string Write(ProgramInput input, long number)
    {
        string path = WriteTo(input, number, Folder);
        if (input.Base is { } changed)
        {
            Change(changed, input.Changes.Select(c => (c.Offset, c.New)));
        }

        return input.Base ?? path;
    }

    /// <summary>Undoes the changes in place.</summary>
    public static void Restore(ProgramInput input)
    {
        if (input.Base is { } changed)
        {
            Change(changed, input.Changes.Reverse().Select(c => (c.Offset, c.Old)));
        }
    }

    /// <summary>Keeps an input in a folder, in the same places.</summary>
    public static void Keep(ProgramInput input, long number, string folder) => WriteTo(input, number, folder);

    public void Dispose() => _scratch.Dispose();

    private static string WriteTo(ProgramInput input, long number, string folder)
    {
        string path = Path.Combine(folder, Dumps, string.Create(CultureInfo.InvariantCulture, $"{number}.{(input.IsCore ? "core" : "dmp")}"));
        if (input.Base is null)
        {
            WriteFile(path, input.Dump);
        }

        foreach ((string name, byte[] bytes) in input.Images)
        {
            WriteFile(Path.Combine(folder, Images, name), bytes);
        }

        foreach ((string name, byte[] bytes) in input.Symbols)
        {
            WriteFile(Path.Combine(folder, Symbols, name), bytes);
        }

        foreach ((string id, byte[] bytes) in input.DebugFiles)
        {
            WriteFile(Path.Combine(folder, Debug, id, "debuginfo"), bytes);
        }

        return path;
    }

    private static void WriteFile(string path, byte[] bytes)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, bytes);
    }

    private static void Change(string path, IEnumerable<(long Offset, ulong Value)> changes)
    {
        using FileStream file = new(path, FileMode.Open, FileAccess.Write);
        foreach ((long offset, ulong value) in changes)
        {
            file.Position = offset;
            file.Write(BitConverter.GetBytes(value));
        }
    }
}
