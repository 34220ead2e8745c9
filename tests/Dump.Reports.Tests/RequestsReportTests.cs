using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests;

/// <summary>What <c>requests</c> says where there is nothing to list, where a library was not read, and where strings of users were not asked for.</summary>
public sealed class RequestsReportTests
{
    private static readonly RequestLibrary s_server = new(RequestKind.Served, "Microsoft.AspNetCore.Server.Kestrel.Core", "10.0.12", RequestGap.None);
    private static readonly RequestLibrary s_client = new(RequestKind.Sent, "System.Net.Http", "10.0.12", RequestGap.None);

    [Fact]
    public void Idle_server_serves_nothing() => AssertSays("No request to this server is in flight. No outgoing request is in flight.", s_server, s_client);

    [Fact]
    public void Program_without_a_server_is_one_sentence() =>
        AssertSays("This process serves no requests: the server of ASP.NET Core (Kestrel) is not loaded.");

    [Fact]
    public void Program_with_a_client_alone_says_so() => AssertSays(
        "This process serves no requests: the server of ASP.NET Core (Kestrel) is not loaded. No outgoing request is in flight.", s_client);

    [Theory]
    [InlineData(RequestGap.UncheckedVersion, "11.0.0", "The requests of Microsoft.AspNetCore.Server.Kestrel.Core 11.0.0 were not read: its objects were not checked on this version.")]
    [InlineData(RequestGap.UncheckedVersion, null, "The requests of Microsoft.AspNetCore.Server.Kestrel.Core of unknown version were not read: its objects were not checked on this version.")]
    [InlineData(RequestGap.FieldsMissing, "10.0.99", "The requests of Microsoft.AspNetCore.Server.Kestrel.Core 10.0.99 were not read: its objects lack fields that they should have.")]
    public void Library_that_was_not_read_is_named_with_the_reason(RequestGap gap, string? version, string words)
    {
        ProcessSnapshot snapshot = Snapshot(s_server with { Gap = gap, Version = version });
        Assert.Contains(words, Text(snapshot), StringComparison.Ordinal);
        Assert.DoesNotContain("No request", Text(snapshot), StringComparison.Ordinal);
        Assert.True(ReportTexts.RequestsOf(snapshot, all: false).IsUndecidable);
    }

    [Fact]
    public void Process_without_a_runtime_has_no_requests_to_look_for() => Assert.Contains(
        "No .NET runtime was found in this process: there are no requests to look for.",
        Text(Snapshot() with { Requests = null, Missing = [] }), StringComparison.Ordinal);

    [Fact]
    public void Groups_are_told_apart_by_what_they_wait_for_and_the_largest_comes_first()
    {
        RequestDocument document = ReportTexts.RequestsOf(RequestScene.Make(withValues: false), all: false);
        Assert.Equal([3L, 2, 1, 1, 1, 1], document.Groups.Where(g => g.Kind == RequestKind.Served).Select(g => g.Count));
        Assert.All(document.Groups, g => Assert.Empty(g.Requests));
    }

    private static void AssertSays(string sentence, params RequestLibrary[] libraries) =>
        Assert.Equal(sentence, Text(Snapshot(libraries)).Split('\n').SkipWhile(l => l.Length > 0).Skip(1).First());

    private static ProcessSnapshot Snapshot(params RequestLibrary[] libraries)
    {
        ProcessSnapshot scene = RequestScene.Make(withValues: false);
        return scene with { Missing = [], Requests = new RequestsInFlight { HeapIsPresent = true, Libraries = [.. libraries] } };
    }

    private static string Text(ProcessSnapshot snapshot) =>
        ReportTexts.Text(output => RequestsReport.Write(ReportTexts.RequestsOf(snapshot, all: false), output, TextStyle.Plain));
}
