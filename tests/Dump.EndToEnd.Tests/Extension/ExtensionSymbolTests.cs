using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>What the debugger has opened for the modules serves the engine: <c>!verdict</c> names what <c>k</c> names, and walks what it walks.</summary>
public sealed partial class ExtensionSymbolTests
{
    /// <summary>The same function and line in the debugger's own stacks, in the extension's verdict there, and in the program's on Linux.</summary>
    [SkippableTheory]
    [InlineData(DumpKind.Full)]
    [InlineData(DumpKind.Small)]
    public void Verdict_names_and_walks_what_the_debugger_does(DumpKind kind)
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        LabDump dump = WineLab.Shared.Dump("shop", kind);
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(dump.Path, ".lines -e", "~*k", "lm m shop", "!verdict");

        // Without its library for PDB files the debugger would have export names only, and this would show nothing.
        Assert.Contains("pdb symbols", outputs[2], StringComparison.Ordinal);
        Match[] functions = [.. ShopFunction().Matches(outputs[1]).Cast<Match>()];
        Assert.Equal(["sell_goods", "take_stock"], functions.Select(f => f.Groups["name"].Value));
        string[] expected = [.. functions.Select(f => $"{f.Groups["place"].Value} {f.Groups["file"].Value}:{f.Groups["line"].Value}")];
        Assert.Contains("DUMP1002 Lock-cycle deadlock (Confirmed)", outputs[3], StringComparison.Ordinal);
        Assert.All(expected, e => Assert.Contains(e, outputs[3], StringComparison.Ordinal));
        if (kind == DumpKind.Full)
        {
            string here = DumpAnalyze.Run(dump.Path, "--symbols", WineLab.SampleDirectory).Output;
            Assert.All(expected, e => Assert.Contains(e, here, StringComparison.Ordinal));
        }
    }

    [GeneratedRegex(@"(?<place>shop!(?<name>sell_goods|take_stock)\+0x[0-9a-f]+) \[\S*[\\/](?<file>shop\.c) @ (?<line>\d+)\]")]
    private static partial Regex ShopFunction();
}
