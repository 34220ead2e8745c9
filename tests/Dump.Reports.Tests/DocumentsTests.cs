using System.Reflection;
using Dump.Model.Process;

namespace Dump.Reports.Tests;

/// <summary>Formats are written from documents: what one of them needs, the document has for all of them.</summary>
public sealed class DocumentsTests
{
    private static readonly Type[] s_makers =
        [typeof(HangReports), typeof(ListDocuments), typeof(ReportedThreads), typeof(ReportModules), typeof(StackTree)];

    [Fact]
    public void What_was_read_is_known_only_to_what_makes_documents()
    {
        IEnumerable<string> others = typeof(HangReports).Assembly.GetTypes()
            .Where(t => !s_makers.Contains(t) && !s_makers.Contains(t.DeclaringType))
            .SelectMany(t => t.GetMembers(BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic).OfType<MethodBase>())
            .Where(m => m.GetParameters().Any(p => Knows(p.ParameterType)))
            .Select(m => $"{m.DeclaringType}.{m.Name}");
        Assert.Empty(others);
    }

    private static bool Knows(Type type) =>
        type == typeof(ProcessSnapshot) || type == typeof(ThreadSnapshot) || type == typeof(StackFrame) || type.GenericTypeArguments.Any(Knows);
}
