using Xunit.Abstractions;

[assembly: TestCollectionOrderer("Dump.EndToEnd.Tests.Lab.LongestFirst", "Dump.EndToEnd.Tests")]

namespace Dump.EndToEnd.Tests.Lab;

/// <summary>Classes that take long begin first: one that began last would run alone in the end, with a processor idle.</summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    private static readonly string[] s_longest =
    [
        "WindowsDumpVerdictTests", "LinuxCoreVerdictTests", "LabVerdictTests", "ExtensionLiveTests", "LabSamplesTests", "OtherRuntimeVerdictTests",
            "ExtensionTextTests", "TriagedFolderTests",
    ];

    /// <inheritdoc/>
    public IEnumerable<ITestCollection> OrderTestCollections(IEnumerable<ITestCollection> testCollections) => testCollections.OrderBy(Place);

    private static int Place(ITestCollection collection)
    {
        int place = Array.FindIndex(s_longest, name => collection.DisplayName.EndsWith($".{name}", StringComparison.Ordinal));
        return place < 0 ? s_longest.Length : place;
    }
}
