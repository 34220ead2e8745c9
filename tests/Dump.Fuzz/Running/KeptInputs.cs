using System.Globalization;
using System.IO.MemoryMappedFiles;
using System.Text;

namespace Dump.Fuzz.Running;

/// <summary>
/// Inputs for which an oracle failed, as files in a folder with how to repeat each; and, in a file that outlives any end of this process, which input is being
/// read.
/// </summary>
internal sealed class KeptInputs : IDisposable
{
    private const int MostOfReader = 20;
    private const int LineSize = 256;
    private readonly string? _folder;
    private readonly MemoryMappedFile? _current;
    private readonly MemoryMappedViewAccessor? _line;
    private readonly Dictionary<string, int> _kept = [];

    /// <summary>Prepares the folder.</summary>
    /// <param name="folder">The folder; null when nothing is kept.</param>
    public KeptInputs(string? folder)
    {
        _folder = folder;
        if (folder is not null)
        {
            Directory.CreateDirectory(folder);
            _current = MemoryMappedFile.CreateFromFile(Path.Combine(folder, "current.txt"), FileMode.Create, null, LineSize);
            _line = _current.CreateViewAccessor();
        }
    }

    /// <summary>How an input is read again.</summary>
    public static string Repeat(string reader, int seed, long number) =>
        string.Create(CultureInfo.InvariantCulture, $"--reader {reader} --seed {seed} --from {number} --executions 1");

    /// <summary>Notes that an input is being read.</summary>
    public void Begin(string reader, int seed, long number)
    {
        if (_line is not null)
        {
            byte[] text = Encoding.ASCII.GetBytes(Repeat(reader, seed, number).PadRight(LineSize - 1) + '\n');
            _line.WriteArray(0, text, 0, LineSize);
        }
    }

    /// <summary>Keeps an input, of each reader the first twenty.</summary>
    public void Keep(string reader, int seed, long number, byte[] input, string failure)
    {
        int kept = _kept[reader] = _kept.GetValueOrDefault(reader) + 1;
        if (_folder is null || kept > MostOfReader)
        {
            return;
        }

        string name = Path.Combine(_folder, string.Create(CultureInfo.InvariantCulture, $"{reader}-{seed}-{number}"));
        File.WriteAllBytes(name + ".bin", input);
        File.WriteAllText(name + ".txt", $"{Repeat(reader, seed, number)}\n--reader {reader} --input {Path.GetFileName(name)}.bin\n\n{failure}\n");
    }

    public void Dispose()
    {
        _line?.Dispose();
        _current?.Dispose();
    }
}
