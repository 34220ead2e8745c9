using System.Globalization;
using System.Text.RegularExpressions;

namespace Dump.EndToEnd.Tests.Unwinding;

/// <summary>Stacks as Microsoft's debugger engine prints them with <c>~*kn</c>.</summary>
internal static partial class DebuggerStacks
{
    /// <summary>Stack pointer and return address of every frame, by thread id.</summary>
    public static Dictionary<uint, List<(ulong StackPointer, ulong ReturnAddress)>> Parse(string output)
    {
        Dictionary<uint, List<(ulong, ulong)>> stacks = [];
        List<(ulong, ulong)>? current = null;
        foreach (string line in output.ReplaceLineEndings("\n").Split('\n'))
        {
            if (Thread().Match(line) is { Success: true } thread)
            {
                stacks.Add(uint.Parse(thread.Groups[1].ValueSpan, NumberStyles.HexNumber, CultureInfo.InvariantCulture), current = []);
            }
            else if (Frame().Match(line) is { Success: true } frame)
            {
                current!.Add((Address(frame.Groups[1].Value), Address(frame.Groups[2].Value)));
            }
        }

        return stacks;
    }

    private static ulong Address(string text) =>
        ulong.Parse(text.Replace("`", "", StringComparison.Ordinal), NumberStyles.HexNumber, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"Id: [0-9a-f]+\.([0-9a-f]+) Suspend")]
    private static partial Regex Thread();

    [GeneratedRegex(@"^[0-9a-f]{2,} ([0-9a-f]{8}`[0-9a-f]{8}) ([0-9a-f]{8}`[0-9a-f]{8}) ")]
    private static partial Regex Frame();
}
