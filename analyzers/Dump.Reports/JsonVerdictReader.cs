using System.Text.Json;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Reports;

/// <summary>Reads verdicts and their parts from a stored report.</summary>
internal static class JsonVerdictReader
{
    private const int MostEntries = 10_000;
    private const int MostThreads = 100_000;

    /// <summary>A text that must be there.</summary>
    public static string Required(JsonElement parent, string name) =>
        parent.Text(name) ?? throw new InvalidReportException($"\"{name}\" is missing");

    /// <summary>One verdict.</summary>
    public static ReportedVerdict Verdict(JsonElement verdict) => new()
    {
        DetectorId = Required(verdict, "id"),
        Title = verdict.Text("title") ?? "",
        Confidence = verdict.Deciding<Confidence>("confidence"),
        Claims = verdict.List("claims", MostEntries, c => new Claim(c.Text("text") ?? "", c.Deciding<Confidence>("confidence"), c.List("evidence", MostEntries, Evidence))),
        Threads = verdict.Ids("threads", MostThreads),
        Chain = verdict.List("chain", MostEntries, Link),
        Stacks = verdict.List("stacks", MostEntries, s => Stack(s, "role")),
        Culprit = verdict.Part("culprit") is { } culprit ? Culprit(culprit) : null,
        Victims = verdict.List("victims", MostThreads, v => new VictimGroup(v.Ids("threads", MostThreads), v.Text("description") ?? "", v.Choice("kind", VictimKind.Thread))),
        Remedies = verdict.Texts("remedies", MostEntries),
        Undecided = verdict.List("undecided", MostEntries, Missing),
    };

    /// <summary>What is missing in a dump.</summary>
    public static MissingData Missing(JsonElement missing) =>
        new(missing.Text("what") ?? "", missing.Text("consequence") ?? "", missing.Text("captureAdvice") ?? "");

    /// <summary>A stack.</summary>
    /// <param name="stack">An object with <c>frames</c>.</param>
    /// <param name="role">Name of the field with its role; null for an entry of <c>threads</c>, which has its thread in <c>id</c> and no role.</param>
    public static ReportedStack Stack(JsonElement stack, string? role) => new(
        stack.Id(role is null ? "id" : "thread") ?? throw new InvalidReportException("a stack has no thread"),
        role is null ? null : stack.Text(role),
        stack.List("frames", MostThreads, Frame));

    private static ReportedFrame Frame(JsonElement frame) => new(
        frame.Number("index") is { } index and >= 0 and <= int.MaxValue ? (int)index : throw new InvalidReportException("a frame has no index"),
        frame.Text("module"),
        frame.Text("function"),
        frame.Address("functionOffset"),
        frame.Address("moduleOffset"),
        frame.Choice("trust", FrameTrust.Scan))
    {
        EnteredAs = frame.Text("enteredAs"),
        Tag = frame.Text("tag"),
    };

    private static ChainLink Link(JsonElement link)
    {
        JsonElement? resource = link.Part("resource");
        return new ChainLink(
            link.Id("thread") ?? throw new InvalidReportException("a link of a chain has no thread"),
            new Resource(resource?.Choice("kind", ResourceKind.Unknown) ?? ResourceKind.Unknown, resource?.Address("identity") ?? 0),
            link.Text("text") ?? "",
            link.Id("holder"),
            link.Flag("holderIsAlive"),
            link.Choice("grade", Grade.Suspected),
            link.Choice("timeout", WaitTimeout.Unknown),
            link.List("evidence", MostEntries, Evidence))
        {
            HolderDescription = link.Text("holderDescription"),
            HolderGrade = link.Text("holderGrade") is null ? null : link.Choice("holderGrade", Grade.Suspected),
            IsWaitAny = link.Flag("any") ?? false,
            IsSatisfied = link.Flag("satisfied") ?? false,
        };
    }

    private static Evidence Evidence(JsonElement evidence) =>
        new(evidence.Choice("source", EvidenceSource.Rule), evidence.Text("text") ?? "", evidence.Address("address"), evidence.Address("value"));

    private static Culprit Culprit(JsonElement culprit) =>
        new(Required(culprit, "module"), culprit.Text("callback"), culprit.Id("thread") ?? throw new InvalidReportException("a culprit has no thread"))
        {
            Version = culprit.Text("version"),
            Vendor = culprit.Text("vendor"),
            Message = culprit.Text("message"),
        };
}
