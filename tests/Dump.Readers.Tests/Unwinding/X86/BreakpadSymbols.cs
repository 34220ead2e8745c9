using System.Globalization;
using System.Text;
using Dump.Readers.Unwinding.X86;

namespace Dump.Readers.Tests.Unwinding.X86;

/// <summary>
/// Frame data from the STACK WIN records of a Breakpad symbol file: type, address, code size, prolog, epilog, parameters, saved registers, locals, largest
/// stack, whether a program follows, the program or whether EBP is used.
/// </summary>
internal sealed class BreakpadSymbols : IFrameDescriptions
{
    private readonly List<(uint Begin, uint End, FrameDescription Description)> _descriptions = [];

    public void Add(byte[] symbols, uint baseAddress)
    {
        foreach (string line in Encoding.UTF8.GetString(symbols).Split('\n').Where(l => l.StartsWith("STACK WIN ", StringComparison.Ordinal)))
        {
            string[] fields = line.TrimEnd('\r').Split(' ', 13);
            uint begin = baseAddress + Hex(fields[3]);
            FrameDescription description = new(Hex(fields[9]), Hex(fields[7]), Hex(fields[8]), fields[11] == "0" && fields[12] == "1", fields[11] == "1"
                ? fields[12] : null);
            _descriptions.Add((begin, begin + Hex(fields[4]), description));
        }
    }

    // Ranges nest: the innermost one, with a program before one without, says most.
    public FrameDescription? Find(uint address) => _descriptions.Where(d => address >= d.Begin && address < d.End)
        .OrderBy(d => d.Description.Program is null).ThenBy(d => d.End - d.Begin).Select(d => d.Description).FirstOrDefault();

    private static uint Hex(string text) => uint.Parse(text, NumberStyles.HexNumber, CultureInfo.InvariantCulture);
}
