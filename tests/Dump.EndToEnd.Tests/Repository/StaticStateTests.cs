using System.Reflection;
using System.Runtime.CompilerServices;

namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>What an answer rests on is handed over, not left in a static variable: those that are left hold no answer, and each has its reason here.</summary>
public sealed class StaticStateTests
{
    private static readonly Dictionary<string, string> s_reasons = new()
    {
        ["Dump.Cli.Output.ResultStream.s_answer"] = "where results go while a session or worker answers, beside Console.Out, which is one for a process too",
        ["Dump.Cli.Running.CrashGuard.s_child"] = "signals come to the process, and go on to its child",
        ["Dump.Cli.Running.CrashGuard.s_received"] = "the same",
        ["Dump.Readers.Files.ReadingProgress.s_steps"] = "a count that only ever grows, by which a call that goes round in circles is seen",
        ["Dump.Readers.Files.ServedPlaces.<Current>k__BackingField"] = "a rule for every file that this process opens, which no caller may forget",
    };

    [Fact]
    public void Variables_of_classes_are_listed_with_their_reasons()
    {
        string[] found = [.. Assemblies().SelectMany(a => a.GetTypes())
            .Where(t => !t.IsDefined(typeof(CompilerGeneratedAttribute)) && !t.Name.Contains('<', StringComparison.Ordinal)).SelectMany(t => t.GetFields(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
            .Where(f => f is { IsInitOnly: false, IsLiteral: false }).Select(f => $"{f.DeclaringType!.FullName}.{f.Name}").Order(StringComparer.Ordinal)];
        Assert.Equal(s_reasons.Keys.Order(StringComparer.Ordinal), found);
    }

    private static IEnumerable<Assembly> Assemblies() =>
        Directory.EnumerateFiles(AppContext.BaseDirectory, "*.dll").Where(f => Path.GetFileName(f) is var name
            && (name.StartsWith("Dump.", StringComparison.Ordinal) || name == "dumpanalyze.dll") && !name.Contains("Test", StringComparison.Ordinal))
        .Select(f => Assembly.Load(Path.GetFileNameWithoutExtension(f)));
}
