using System.Diagnostics;
using System.Runtime.Versioning;
using System.Text;
using Dump.Cli;

namespace Dump.Triage.Tests.Runs;

/// <summary>What <c>merge</c> writes replaces older files and nothing else: a device that is replaced by a file is one less for all programs of the machine.</summary>
[SupportedOSPlatform("linux")]
public sealed class ReportFileTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("dump-report-file-").FullName;

    [SkippableTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Pipe_is_written_to_and_stays_a_pipe(bool byLink)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "pipes of the file system are Linux'");
        string pipe = At("pipe");
        Run("mkfifo", pipe);
        string path = byLink ? At("link") : pipe;
        if (byLink)
        {
            File.CreateSymbolicLink(path, pipe);
        }

        using Process reader = Process.Start(new ProcessStartInfo("timeout", ["20", "cat", pipe]) { RedirectStandardOutput = true })!;
        Task<string> read = reader.StandardOutput.ReadToEndAsync();
        ReportFile.Write(path, s => s.Write("page"u8));

        // Without a writer the reader would wait: this one ends it where the pipe was replaced.
        if (Directory.GetFiles(_root, "*.tmp").Length == 0 && !read.Wait(TimeSpan.FromSeconds(5)))
        {
            reader.Kill();
        }

        Assert.Equal("page", await read);
        Assert.Equal("fifo", Run("stat", "-c", "%F", pipe));
        Assert.Equal(byLink ? ["link", "pipe"] : ["pipe"], Names());
    }

    [SkippableFact]
    public void Link_stays_and_what_it_leads_to_is_replaced()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "symbolic links need rights on Windows");
        File.WriteAllText(At("page"), "older");
        File.CreateSymbolicLink(At("link"), "page");
        File.CreateSymbolicLink(At("new"), "later");
        ReportFile.WriteText(At("link"), t => t.Write("newer"));
        ReportFile.WriteText(At("new"), t => t.Write("first"));
        Assert.Equal(("newer", "first", "page"), (File.ReadAllText(At("page")), File.ReadAllText(At("later")), new FileInfo(At("link")).LinkTarget));
        Assert.Equal(["later", "link", "new", "page"], Names());
        Assert.Equal(ReportFile.Place(At("page")), ReportFile.Place(At("link")));
    }

    [SkippableFact]
    public void Links_in_a_circle_cannot_be_written()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "symbolic links need rights on Windows");
        File.CreateSymbolicLink(At("self"), At("self"));
        Assert.Throws<UnwritableOutputException>(() => ReportFile.Write(At("self"), s => s.WriteByte(0)));
        Assert.Equal(["self"], Names());
    }

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
        Assert.Contains(command.Parse([_root, "--html", At("page"), "--csv", At("link")]).Errors, e => e.Message.Contains("--html writes that file already", StringComparison.Ordinal));
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private string At(string name) => Path.Combine(_root, name);

    private string[] Names() => [.. Directory.EnumerateFileSystemEntries(_root).Select(f => Path.GetFileName(f)).Order(StringComparer.Ordinal)];

    private static string Run(string program, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, StandardOutputEncoding = Encoding.UTF8 })!;
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return output.Trim();
    }
}
