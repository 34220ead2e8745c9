using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using Dump.Analysis.Detection;
using Dump.Analysis.Names;
using Dump.Model.Code;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Completion;

/// <summary>
/// What two dumps of one hang share beyond its signature: on each thread of the verdict the same functions of the program, from the innermost to the outermost. A
/// signature has a few of each thread's, which is enough to look at dumps together and too little to throw one away.
/// </summary>
internal static class ProgramChains
{
    private const int HashDigits = 32;

    /// <summary>
    /// A hash of the functions; null where they are not known whole: where a thread has no stack, one that ends too early or was searched, or none of the
    /// program's functions on it.
    /// </summary>
    /// <param name="context">The facts.</param>
    /// <param name="verdict">The verdict.</param>
    public static string? Of(AnalysisContext context, Verdict verdict)
    {
        string?[] threads = [.. verdict.Threads.Distinct().Select(t => Of(context, context.Thread(t)))];
        if (threads.Contains(null) || threads.Length + verdict.AsyncMethods.Length == 0)
        {
            return null;
        }

        // Neither ids nor the dump decide in which order the threads come.
        string text = string.Join('\n', threads.Order(StringComparer.Ordinal).Concat(verdict.AsyncMethods));
        return Convert.ToHexStringLower(Sha256.HashData(Encoding.UTF8.GetBytes(text)))[..HashDigits];
    }

    /// <summary>The program's functions of one thread, innermost first; null where they are not known.</summary>
    internal static string? Of(AnalysisContext context, ThreadSnapshot? thread)
    {
        if (thread is not { Stack: { End: StackEnd.Complete } stack } || stack.Frames.Any(f => f.Trust == FrameTrust.Scan))
        {
            return null;
        }

        string[] functions = [.. stack.Frames.Where(f => context.Application.Contains(f) && !LibraryCode.Contains(f)).SelectMany(Functions)];
        return functions.Length == 0 ? null : string.Join(" < ", functions);
    }

    private static IEnumerable<string> Functions(StackFrame frame)
    {
        string module = ModuleNames.Normal(frame.Module!);
        foreach (InlinedCall inlined in frame.Inlined)
        {
            yield return $"{module}!{FunctionNames.Normal(inlined.Function)}";
        }

        if (!LibraryCode.IsFunctionOf(frame))
        {
            yield return (frame.Function is { } name ? FunctionNames.Normal(name) : null) is { } function ? $"{module}!{function}"
                : string.Create(CultureInfo.InvariantCulture, $"{module}+0x{frame.ModuleOffset:x}");
        }
    }
}
