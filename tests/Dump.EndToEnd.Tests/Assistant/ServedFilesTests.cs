using System.Diagnostics;
using Dump.Testing.Fixtures;
using ModelContextProtocol.Protocol;

namespace Dump.EndToEnd.Tests.Assistant;

/// <summary>The server reads files below its folders, whatever a model asks for.</summary>
public sealed class ServedFilesTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dump-assistant-");
    private readonly string _root;

    public ServedFilesTests()
    {
        _root = _folder.CreateSubdirectory("served").FullName;
        string outside = _folder.CreateSubdirectory("served-not").FullName;
        string dump = Fixture.Named("cs-cycle2").Path;
        File.Copy(dump, Path.Combine(outside, "secret.dmp"));
        File.Copy(dump, Path.Combine(_root, "own.dmp"));
        File.CreateSymbolicLink(Path.Combine(_root, "link.dmp"), "own.dmp");
        File.CreateSymbolicLink(Path.Combine(_root, "out.dmp"), Path.Combine(outside, "secret.dmp"));
        File.CreateSymbolicLink(Path.Combine(_root, "circle.dmp"), "circle.dmp");
        Directory.CreateSymbolicLink(Path.Combine(_root, "away"), outside);
        Directory.CreateDirectory(Path.Combine(_root, "records-away"));
        Directory.CreateSymbolicLink(Path.Combine(_root, "records-away", "records"), outside);
    }

    [Theory]
    [InlineData("../served-not/secret.dmp")]
    [InlineData("../served-not/nothing.dmp")]
    [InlineData("away/secret.dmp")]
    [InlineData("away/nothing.dmp")]
    [InlineData("out.dmp")]
    [InlineData("/etc/passwd")]
    [InlineData("/proc/self/environ")]
    [InlineData("own.dmp/../../served-not/secret.dmp")]
    public async Task A_path_that_leads_out_is_refused_whatever_is_there(string path)
    {
        await using AssistantServer server = await AssistantServer.StartAsync(_root);
        string refusal = AssistantServer.Refusal(await server.CallAsync("verdict", ("path", path)));
        Assert.Equal($"dumpanalyze: {path}: this is not below the folders that this server was started for: {_root}", refusal);
        Assert.Equal(refusal, AssistantServer.Refusal(await server.CallAsync("verdict", ("path", "own.dmp"), ("later", new[] { path }))));
    }

    [Theory]
    [InlineData("own.dmp")]
    [InlineData("link.dmp")]
    [InlineData("./x/../own.dmp")]
    public async Task A_path_that_leads_to_a_file_inside_is_read(string path)
    {
        await using AssistantServer server = await AssistantServer.StartAsync(_root);
        Assert.Contains("DUMP1002", AssistantServer.Document(await server.CallAsync("verdict", ("path", path))), StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("verdict", "gone.dmp", "there is no such file that this server may read")]
    [InlineData("verdict", "circle.dmp", "there is no such file that this server may read")]
    [InlineData("verdict", ".", "this is a folder; name a dump in it")]
    [InlineData("verdict", "", "this is no path")]
    [InlineData("verdict", "pipe.dmp", "this is a pipe, not a file")]
    [InlineData("verdict", "text.dmp", "text.dmp: ")]
    [InlineData("triage_overview", "own.dmp", "this is not a folder")]
    [InlineData("triage_overview", "records-away", "this is not below the folders that this server was started for")]
    [InlineData("triage_overview", ".", "holds no records of dumpanalyze triage")]
    public async Task What_is_no_dump_is_one_clear_error(string tool, string path, string expected)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "pipes with names are of Linux");
        using (Process make = Process.Start("mkfifo", [Path.Combine(_root, "pipe.dmp")]))
        {
            await make.WaitForExitAsync();
        }

        File.WriteAllText(Path.Combine(_root, "text.dmp"), "no dump");
        await using AssistantServer server = await AssistantServer.StartAsync(_root);
        string refusal = AssistantServer.Refusal(await server.CallAsync(tool, ("path", path)));
        Assert.Contains(expected, refusal, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', refusal);
    }

    /// <summary>The name is another's to change: a look at it that is followed by another one reads what it leads to by then.</summary>
    [SkippableFact]
    [Trait("Category", "Slow")]
    public async Task A_file_that_becomes_a_link_out_again_and_again_is_never_read_from_outside()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "links as Linux has them");
        const int Questions = 30, Swaps = 1_000;
        string own = Path.Combine(_root, "raced.dmp"), next = Path.Combine(_root, "next"), secret = Path.Combine(_folder.FullName, "served-not", "other.dmp");
        string inner = Fixture.Named("cs-cycle2").Path;
        File.Copy(Fixture.Named("loader-exit").Path, secret);
        File.Copy(inner, own);
        int swaps = 0, inside = 0, refused = 0;
        using CancellationTokenSource end = new();
        var racer = Task.Run(() =>
        {
            for (; !end.IsCancellationRequested || swaps < Swaps; swaps++)
            {
                // A file, whose name means itself, and a link out in its place.
                if (swaps % 2 == 0)
                {
                    File.CreateSymbolicLink(next, secret);
                }
                else
                {
                    File.Copy(inner, next);
                }

                File.Move(next, own, overwrite: true);
                Thread.Sleep(1);
            }
        });
        try
        {
            await using AssistantServer server = await AssistantServer.StartAsync(_root);
            for (int question = 0; question < Questions; question++)
            {
                CallToolResult answer = await server.CallAsync("verdict", ("path", "raced.dmp"));
                if (answer.IsError == true)
                {
                    refused++;
                    continue;
                }

                Assert.Contains("DUMP1002", AssistantServer.Document(answer), StringComparison.Ordinal);
                inside++;
            }
        }
        finally
        {
            await end.CancelAsync();
            await racer;
        }

        Assert.Equal(Questions, inside + refused);
        Assert.True(inside > 0, "no question met the file inside");
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
