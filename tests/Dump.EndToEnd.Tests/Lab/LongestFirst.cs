using Dump.EndToEnd.Tests.NativeLinux;
using Xunit.Abstractions;

[assembly: TestCollectionOrderer("Dump.EndToEnd.Tests.Lab.LongestFirst", "Dump.EndToEnd.Tests")]

namespace Dump.EndToEnd.Tests.Lab;

/// <summary>
/// Begins with the classes that take longest, since the tests of a class run one after the other: begun last, they would run alone at the end while a processor has
/// nothing to do.
/// </summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    private static readonly Type[] s_longest = [typeof(CompiledLibraryTests), typeof(OtherLibraryTests), typeof(NativeLockVerdictTests), typeof(SignalAndForkTests)];

    /// <inheritdoc/>
    public IEnumerable<ITestCollection> OrderTestCollections(IEnumerable<ITestCollection> testCollections) =>
        testCollections.OrderByDescending(c => s_longest.Any(t => c.DisplayName.EndsWith(t.FullName!, StringComparison.Ordinal)));
}
