using System.Collections.Frozen;
using System.Globalization;

namespace Dump.Readers.Unwinding.X86;

/// <summary>
/// Runs the program of a frame description: words in reverse Polish notation with the operators <c>+ - * / % @</c> (align down), <c>^</c> (read memory) and
/// <c>=</c> (assign), as the Debug Interface Access SDK documents them (IDiaFrameData::get_program) and Breakpad's STACK WIN records repeat them.
/// </summary>
internal static class FrameProgram
{
    private const int MaximumLength = 2048;
    private const int MaximumWords = 256;

    private static readonly FrozenDictionary<string, Func<uint, uint, uint?>> s_operators = new Dictionary<string, Func<uint, uint, uint?>>
    {
        ["+"] = (x, y) => unchecked(x + y),
        ["-"] = (x, y) => unchecked(x - y),
        ["*"] = (x, y) => unchecked(x * y),
        ["/"] = (x, y) => y == 0 ? null : x / y,
        ["%"] = (x, y) => y == 0 ? null : x % y,
        ["@"] = (x, y) => y == 0 ? null : x / y * y,
    }.ToFrozenDictionary();

    /// <summary>Runs a program.</summary>
    /// <param name="program">Its words between blanks.</param>
    /// <param name="variables">Registers (<c>$ebp</c>) and constants (<c>.cbLocals</c>) by name; assigned
    /// ones are added or replaced. What is unknown is absent.</param>
    /// <param name="memory">Memory of the process.</param>
    /// <returns>False when the program is malformed or needs what is unknown.</returns>
    public static bool TryRun(string program, Dictionary<string, uint> variables, IMemory memory)
    {
        Stack<string> words = new();
        string[] all = program.Length > MaximumLength ? [] : program.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        foreach (string word in all.Take(MaximumWords))
        {
            if (!TryApply(word, words, variables, memory))
            {
                return false;
            }
        }

        return all.Length is > 0 and <= MaximumWords && words.Count == 0;
    }

    private static bool TryApply(string word, Stack<string> words, Dictionary<string, uint> variables, IMemory memory)
    {
        uint? result;
        if (word == "=")
        {
            if (Pop(words, variables) is not { } assigned || !words.TryPop(out string? name) || name[0] is not ('$' or '.'))
            {
                return false;
            }

            variables[name] = assigned;
            return true;
        }

        if (word == "^")
        {
            result = Pop(words, variables) is { } address ? memory.ReadUInt32(address) : null;
        }
        else if (s_operators.TryGetValue(word, out Func<uint, uint, uint?>? operation))
        {
            result = Pop(words, variables) is { } second && Pop(words, variables) is { } first ? operation(first, second) : null;
        }
        else
        {
            words.Push(word);
            return true;
        }

        words.Push(result?.ToString(CultureInfo.InvariantCulture) ?? "");
        return result is not null;
    }

    private static uint? Pop(Stack<string> words, Dictionary<string, uint> variables) =>
        !words.TryPop(out string? word) ? null
        : variables.TryGetValue(word, out uint known) ? known
        : uint.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out uint number) ? number
        : null;
}
