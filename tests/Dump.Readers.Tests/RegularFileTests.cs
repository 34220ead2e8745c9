using System.Diagnostics;
using Dump.Readers.Files;

namespace Dump.Readers.Tests;

/// <summary>Only regular files are opened, and read as they are.</summary>
public sealed class RegularFileTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("regular-file-");

    [Fact]
    public void Regular_file_is_read_also_through_a_link()
    {
        File.WriteAllText(At("file"), "content");
        Assert.Equal("content", Text("file"));
        if (OperatingSystem.IsLinux())
        {
            File.CreateSymbolicLink(At("link"), "file");
            Assert.Equal("content", Text("link"));
        }
    }

    [SkippableFact]
    public void Pipe_without_a_writer_is_refused_at_once()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "named pipes are no files elsewhere");
        using (var make = Process.Start("mkfifo", At("pipe")))
        {
            make.WaitForExit();
        }

        Task<IrregularFileException> refused = Task.Run(() => Assert.Throws<IrregularFileException>(() => RegularFile.OpenRead(At("pipe"))));
        Assert.True(refused.Wait(TimeSpan.FromMinutes(5)), "it waits for a writer");
        Assert.Contains("is a pipe, a device or a directory", refused.Result.Message, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("/dev/zero")]
    [InlineData("/dev/null")]
    [InlineData("/")]
    public void Device_and_directory_are_refused(string path)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs the names of Linux");
        Assert.Throws<IrregularFileException>(() => RegularFile.OpenHandle(path));
    }

    [Fact]
    public void What_is_not_there_is_not_found()
    {
        Assert.Throws<FileNotFoundException>(() => RegularFile.OpenRead(At("nothing")));
        File.WriteAllText(At("file"), "");
        Assert.ThrowsAny<IOException>(() => RegularFile.OpenRead(Path.Combine(At("file"), "below")));
    }

    [SkippableFact]
    public void What_may_not_be_read_is_said_so()
    {
        Skip.If(Environment.UserName == "root", "root may read everything");
        File.WriteAllText(At("file"), "");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(At("file"), UnixFileMode.None);
        }

        Assert.Throws<UnauthorizedAccessException>(() => RegularFile.OpenRead(At("file")));
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private string Text(string name)
    {
        using StreamReader text = new(RegularFile.OpenRead(At(name)));
        return text.ReadToEnd();
    }

    private string At(string name) => Path.Combine(_folder.FullName, name);
}
