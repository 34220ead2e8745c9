using System.Diagnostics;
using Dump.Testing.Fixtures;

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

    public void Dispose() => _folder.Delete(recursive: true);
}
