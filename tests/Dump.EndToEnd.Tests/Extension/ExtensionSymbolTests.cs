using System.Text.RegularExpressions;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>What the debugger has opened for the modules serves the engine: <c>!verdict</c> names what <c>k</c> names, and walks what it walks.</summary>
public sealed partial class ExtensionSymbolTests
{
    [SkippableTheory]
    [InlineData(DumpKind.Full)]
    [InlineData(DumpKind.Small)]
    public void Verdict_names_and_walks_what_the_debugger_does(DumpKind kind)
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        LabDump dump = WineLab.Shared.Dump("shop", kind);
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(dump.Path, "~*k", "lm m shop", "!verdict");

        // Without its library for PDB files the debugger would have export names only, and this would show nothing.
        Assert.Contains("pdb symbols", outputs[1], StringComparison.Ordinal);
        string[] functions = [.. ShopFunction().Matches(outputs[0]).Select(m => m.Value)];
        Assert.Equal(2, functions.Length);
        Assert.Contains("DUMP1002 Lock-cycle deadlock (Confirmed)", outputs[2], StringComparison.Ordinal);
        Assert.All(functions, f => Assert.Contains(f, outputs[2], StringComparison.Ordinal));
    }

    [GeneratedRegex(@"shop!(sell_goods|take_stock)\+0x[0-9a-f]+")]
    private static partial Regex ShopFunction();
}
