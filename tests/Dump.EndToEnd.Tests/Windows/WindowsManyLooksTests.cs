using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Lab;
using Xunit.Abstractions;

namespace Dump.EndToEnd.Tests.Windows;

/// <summary>Many looks in a row at a busy process under Wine: it goes on after each, and ends up with the suspend counts that it had.</summary>
/// <param name="output">Receives the figures.</param>
public sealed class WindowsManyLooksTests(ITestOutputHelper output)
{
    private const int Looks = 100;

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Busy_process_goes_on_after_each_of_a_hundred_looks()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start("spin-owner");
        Dictionary<string, int> verdicts = [];
        for (int look = 0; look < Looks; look++)
        {
            (int exitCode, JsonElement report, string errors) = WindowsLook.At(living, "--interval", "100ms");
            WindowsLook.AssertGoesOn(living);
            Assert.Contains("and runs on", errors, StringComparison.Ordinal);
            string[] found = [.. report.Member("verdicts").EnumerateArray()
                .Select(v => $"{v.Member("id").GetString()} {v.Member("confidence").GetString()}")];
            string answer = $"{exitCode}: {string.Join(", ", found)}";
            verdicts[answer] = verdicts.GetValueOrDefault(answer) + 1;
        }

        foreach ((string answer, int count) in verdicts)
        {
            output.WriteLine($"{count} x {answer}");
        }

        Assert.All(verdicts.Keys, answer => Assert.Contains("DUMP2001", answer, StringComparison.Ordinal));
        HeldSample.AssertUndisturbed(living);
    }
}
