using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace Dump.Benchmarks.Start;

/// <summary>What the runtime compiled in one run of a program, as the runtime itself tells.</summary>
/// <param name="Methods">All of it, in its order, of the program and its children.</param>
internal sealed record CompilationList(IReadOnlyList<CompiledMethod> Methods)
{
    private const int FamiliesShown = 25;

    /// <summary>Runs a program with the runtime's list switched on.</summary>
    /// <param name="folder">Where the list is put.</param>
    /// <param name="command">Program path and arguments.</param>
    /// <exception cref="InvalidOperationException">The runtime wrote no list.</exception>
    public static CompilationList Of(string folder, IReadOnlyList<string> command)
    {
        string list = Path.Combine(folder, $"methods-{Guid.NewGuid():N}");
        ProcessStartInfo start = new(command[0], command.Skip(1)) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment["DOTNET_JitStdOutFile"] = list;
        start.Environment["DOTNET_JitDisasmSummary"] = "1";
        using Process process = Process.Start(start) ?? throw new InvalidOperationException($"{command[0]} did not start.");
        Task<string> errors = process.StandardError.ReadToEndAsync();
        process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        // A program of machine code has no compiler and writes no list.
        bool hasCompiler = File.Exists(command[0] + ".dll");
        return !hasCompiler ? new CompilationList([])
            : File.Exists(list) ? new CompilationList([.. File.ReadLines(list).Select(CompiledMethod.Of).OfType<CompiledMethod>()])
            : throw new InvalidOperationException($"{command[0]} ended with {process.ExitCode} and without a list of methods: {errors.Result}");
    }

    /// <summary>Counts by tier and by family, as Markdown.</summary>
    public string ToMarkdown()
    {
        StringBuilder text = new();
        text.AppendLine("| compiled as | methods |").AppendLine("|---|---|");
        foreach (IGrouping<string, CompiledMethod> tier in Methods.GroupBy(m => m.Tier).OrderByDescending(g => g.Count()).ThenBy(g => g.Key))
        {
            Add(text, $"| {tier.Key} | {tier.Count()} |");
        }

        text.AppendLine().AppendLine("| type or stub | methods | for example |").AppendLine("|---|---|---|");
        IGrouping<string, CompiledMethod>[] families = [.. Methods.GroupBy(m => m.Family).OrderByDescending(g => g.Count()).ThenBy(g => g.Key)];
        foreach (IGrouping<string, CompiledMethod> family in families.Take(FamiliesShown))
        {
            Add(text, $"| `{family.Key}` | {family.Count()} | `{family.First().Name}` |");
        }

        if (families.Length > FamiliesShown)
        {
            Add(text, $"| {families.Length - FamiliesShown} others | {families.Skip(FamiliesShown).Sum(f => f.Count())} | |");
        }

        return text.ToString();
    }

    private static void Add(StringBuilder text, FormattableString line) => text.AppendLine(line.ToString(CultureInfo.InvariantCulture));
}
