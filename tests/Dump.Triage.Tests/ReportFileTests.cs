using System.Diagnostics;
using System.Runtime.Versioning;
using System.Text;
using Dump.Cli.Options;

namespace Dump.Triage.Tests;

/// <summary>Files of results: replaced as a whole; what only looks like a file is not replaced.</summary>
[SupportedOSPlatform("linux")]
public sealed class ReportFileTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("report-file-");

    [Fact]
    public void Existing_file_is_replaced_and_nothing_else_is_left()
    {
        File.WriteAllText(At("page.html"), "an older, longer text");
        ReportFile.WriteText(At("page.html"), t => t.WriteLine("new"));
        Assert.Equal("new\n", File.ReadAllText(At("page.html")));
        Assert.Single(_folder.GetFiles());
    }

    [Fact]
    public void File_stays_as_it_was_when_writing_fails()
    {
        File.WriteAllText(At("page.html"), "old");
        Assert.Throws<UnwritableOutputException>(() => ReportFile.WriteText(At("page.html"), _ => throw new IOException("No space left on device")));
        Assert.Equal("old", File.ReadAllText(At("page.html")));
        Assert.Single(_folder.GetFiles());
    }

    /// <summary>Where the new content is written first nobody can know, so that nobody can have put a link there.</summary>
    [SkippableFact]
    public void Planted_link_is_not_followed()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "links need rights elsewhere");
        File.WriteAllText(At("victim"), "precious");
        File.CreateSymbolicLink(At($"page.html.{Environment.ProcessId}.tmp"), At("victim"));
        string[] names = [];
        ReportFile.WriteText(At("page.html"), t =>
        {
            names = [.. _folder.GetFiles().Select(f => f.Name)];
            t.Write("new");
        });
        Assert.Equal("precious", File.ReadAllText(At("victim")));
        Assert.Equal("new", File.ReadAllText(At("page.html")));
        ReportFile.WriteText(At("page.html"), _ => Assert.DoesNotContain(_folder.GetFiles(), f => f.Name[0] == '.' && names.Contains(f.Name)));
    }

    [SkippableFact]
    public void Report_that_only_its_owner_can_read_stays_one()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "there are no such modes elsewhere");
        File.WriteAllText(At("page.html"), "old");
        File.SetUnixFileMode(At("page.html"), UnixFileMode.UserRead | UnixFileMode.UserWrite);
        ReportFile.WriteText(At("page.html"), t => t.Write("new"));
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(At("page.html")));
    }

    [SkippableTheory]
    [InlineData("target.html")]
    [InlineData("../target.html")]
    public void Link_stays_a_link_and_its_file_is_replaced(string target)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "links need rights elsewhere");
        string folder = _folder.CreateSubdirectory("below").FullName;
        string link = Path.Combine(folder, "page.html"), file = Path.GetFullPath(target, folder);
        File.WriteAllText(file, "old");
        File.CreateSymbolicLink(link, target);
        ReportFile.WriteText(Path.GetRelativePath(Environment.CurrentDirectory, link), t => t.Write("new"));
        Assert.Equal(target, new FileInfo(link).LinkTarget);
        Assert.Equal("new", File.ReadAllText(file));
    }

    /// <summary>As the kernel has it in sticky folders (protected_symlinks): a stranger's link there would lead root to any file.</summary>
    [SkippableTheory]
    [InlineData("1777", true)]
    [InlineData("777", true)]
    [InlineData("755", false)]
    public void Link_that_a_stranger_planted_where_others_may_write_is_not_followed(string mode, bool isRefused)
    {
        Skip.IfNot(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, "needs root of Linux, to make a link another user's");
        string folder = _folder.CreateSubdirectory("shared").FullName, link = Path.Combine(folder, "page.html");
        File.WriteAllText(At("victim"), "precious");
        File.CreateSymbolicLink(link, At("victim"));
        File.SetUnixFileMode(folder, (UnixFileMode)Convert.ToInt32(mode, 8));
        using (Process chown = Process.Start("chown", ["-h", "4242", link]))
        {
            chown.WaitForExit();
        }

        if (isRefused)
        {
            Assert.Contains("is a link of user 4242 where others may write", ReportFile.Refusal(link), StringComparison.Ordinal);
            UnwritableOutputException error = Assert.Throws<UnwritableOutputException>(() => ReportFile.WriteText(link, t => t.Write("new")));
            Assert.Contains("is a link of user 4242 where others may write", error.Message, StringComparison.Ordinal);
            Assert.Equal("precious", File.ReadAllText(At("victim")));
        }
        else
        {
            ReportFile.WriteText(link, t => t.Write("new"));
            Assert.Equal("new", File.ReadAllText(At("victim")));
        }
    }

    [SkippableFact]
    public void Shared_memory_holds_files()
    {
        Skip.IfNot(Directory.Exists("/dev/shm"), "there is no /dev/shm here");
        string path = $"/dev/shm/dump-{Guid.NewGuid():N}.html";
        try
        {
            Assert.False(ReportFile.IsStream(path));
            Assert.Null(ReportFile.Refusal(path));
            ReportFile.WriteText(path, t => t.Write("new"));
            Assert.Equal("new", File.ReadAllText(path));
        }
        finally
        {
            File.Delete(path);
        }
    }

    [SkippableFact]
    public void Links_of_directories_are_followed_to_the_place_that_is_meant()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "links need rights elsewhere");
        _folder.CreateSubdirectory("real/inner");
        File.CreateSymbolicLink(At("first"), "real");
        File.CreateSymbolicLink(At("second"), "first/inner");
        File.CreateSymbolicLink(At("round"), "round/round");
        string root = ReportFile.Place(_folder.FullName);
        Assert.Equal(Path.Combine(root, "real", "inner", "new.html"), ReportFile.Place(Path.Combine(At("second"), "..", "second", "new.html")));
        Assert.Equal("new.html", Path.GetFileName(ReportFile.Place(Path.Combine(At("round"), "new.html"))));
    }

    [SkippableFact]
    public void Pipe_is_written_to_and_stays()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "named pipes are no files elsewhere");
        using (var make = Process.Start("mkfifo", At("pipe")))
        {
            make.WaitForExit();
        }

        Task<byte[]> read = Task.Run(() => File.ReadAllBytes(At("pipe")));
        ReportFile.Write(At("pipe"), s => s.Write("through"u8));
        Assert.True(read.Wait(TimeSpan.FromMinutes(5)), "nothing came through the pipe");
        Assert.Equal("through", Encoding.UTF8.GetString(read.Result));
        Assert.Equal(["pipe"], _folder.GetFileSystemInfos().Select(f => f.Name));
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private string At(string name) => Path.Combine(_folder.FullName, name);
}
