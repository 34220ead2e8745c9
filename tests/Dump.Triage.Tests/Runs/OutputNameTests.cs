using Dump.Cli.Options;

namespace Dump.Triage.Tests.Runs;

/// <summary>Names of the files that <c>merge</c> writes: what is none is said before anything is done.</summary>
public sealed class OutputNameTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("dump-report-file-").FullName;

    [Theory]
    [InlineData("", "the name is empty")]
    [InlineData(".", "this is a folder")]
    public void Name_that_is_no_file_is_wrong_usage(string name, string expected)
    {
        MergeSettings settings = new();
        System.CommandLine.Command command = new("merge");
        settings.AddTo(command);
        Assert.Contains(command.Parse([_root, "--html", name]).Errors, e => e.Message.Contains(expected, StringComparison.Ordinal));
    }

    [SkippableFact]
    public void Two_outputs_that_links_make_one_are_refused()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "symbolic links need rights on Windows");
        File.CreateSymbolicLink(At("link"), At("page"));
        MergeSettings settings = new();
        System.CommandLine.Command command = new("merge");
        settings.AddTo(command);
        Assert.Contains(command.Parse([_root, "--html", At("page"), "--csv", At("link")]).Errors, e =>
            e.Message.Contains("--html writes that file already", StringComparison.Ordinal));
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private string At(string name) => Path.Combine(_root, name);
}
