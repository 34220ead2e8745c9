using Dump.Analysis.Detectors;
using Dump.Model;

namespace Dump.Analysis.UserInterface;

/// <summary>Data that questions about user-interface threads need.</summary>
internal static class UiData
{
    /// <summary>Stacks; only Windows has such threads.</summary>
    public static IEnumerable<MissingData> Needed(AnalysisContext context) =>
        context.Snapshot.System.Family == OperatingSystemFamily.Windows ? NecessaryData.Stacks(context.Snapshot) : [];
}
