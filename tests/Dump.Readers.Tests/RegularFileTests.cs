using System.Diagnostics;
using System.Runtime.InteropServices;
using Dump.Readers.Files;

namespace Dump.Readers.Tests;

/// <summary>Only regular files are opened, and read as they are.</summary>
public sealed class RegularFileTests : IDisposable
{
    private const string LinuxOnly = "links and descriptors as Linux has them";
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

    /// <summary>The numbers of the architectures' fcntl.h.</summary>
    [Theory]
    [InlineData(Architecture.X64, 0x20000, 0x10000)]
    [InlineData(Architecture.X86, 0x20000, 0x10000)]
    [InlineData(Architecture.Arm64, 0x8000, 0x4000)]
    [InlineData(Architecture.Arm, 0x8000, 0x4000)]
    [InlineData(Architecture.Ppc64le, 0x8000, 0x4000)]
    [InlineData(Architecture.S390x, 0x20000, 0x10000)]
    [InlineData(Architecture.LoongArch64, 0x20000, 0x10000)]
    [InlineData(Architecture.RiscV64, 0x20000, 0x10000)]
    public void Numbers_of_open_are_those_of_the_architecture(Architecture architecture, int notThroughLink, int directoryOnly) =>
        Assert.Equal((notThroughLink, directoryOnly), (OpenLayout.NotThroughLinkOn(architecture), OpenLayout.DirectoryOnlyOn(architecture)));

    [SkippableFact]
    public void Link_is_not_followed_where_it_must_not_be()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Directory.CreateDirectory(At("real"));
        File.CreateSymbolicLink(At("link"), "real");
        using OpenFolder folder = OpenFolder.Open(_folder.FullName)!;
        using OpenFolder? real = folder.Inner("real");
        Assert.NotNull(real);
        Assert.Null(folder.Inner("link"));
        Assert.Equal((true, false), (folder.StatusOf("link")?.IsLink, folder.StatusOf("real")?.IsLink));
        Assert.Equal((0, 0), (FileStatus.Of(At("link"))!.Value.Identity == FileStatus.Of(At("real"))!.Value.Identity ? 0 : 1, folder.StatusOf("none") is null ? 0 : 1));
    }

    /// <summary>Somebody changes without a pause where the name leads; what is read must be from inside, or nothing is.</summary>
    [SkippableFact]
    public void Served_file_that_becomes_a_link_to_another_one_again_and_again_is_never_read_from_outside()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        const int Swaps = 1_000;
        string served = Directory.CreateDirectory(At("served")).FullName, own = Path.Combine(served, "own"), secret = At("secret");
        File.WriteAllText(secret, "secret");
        File.WriteAllText(own, "inside");
        ServedPlaces? before = ServedPlaces.Current;
        ServedPlaces.Current = new ServedPlaces([served]);
        try
        {
            int swaps = 0;
            Thread racer = new(() =>
            {
                for (; swaps < Swaps; swaps++)
                {
                    string next = Path.Combine(served, "next");
                    if (swaps % 2 == 0)
                    {
                        File.CreateSymbolicLink(next, secret);
                    }
                    else
                    {
                        File.WriteAllText(next, "inside");
                    }

                    File.Move(next, own, overwrite: true);
                }
            });
            racer.Start();
            int inside = 0, refused = 0;
            while (Volatile.Read(ref swaps) < Swaps || inside == 0)
            {
                try
                {
                    using StreamReader text = new(RegularFile.OpenRead(own));
                    Assert.Equal("inside", text.ReadToEnd());
                    inside++;
                }
                catch (UnauthorizedAccessException)
                {
                    refused++;
                }
            }

            racer.Join();
            File.CreateSymbolicLink(Path.Combine(served, "out"), secret);
            Assert.Throws<UnauthorizedAccessException>(() => RegularFile.OpenRead(Path.Combine(served, "out")));
            Assert.Equal("secret", File.ReadAllText(secret));
            using FileStream elsewhere = RegularFile.OpenRead(secret);
            Assert.True(refused >= 0 && inside > 0);
        }
        finally
        {
            ServedPlaces.Current = before;
        }
    }

    [Fact]
    public void Served_folders_are_told_whatever_their_names_are()
    {
        string[] folders = ["/srv/a b", "/srv/a:b", "/srv/%3A\n", "/srv/ü"];
        ServedPlaces told = ServedPlaces.Of(new ServedPlaces(folders).Value)!;
        Assert.All(folders, f => Assert.True(told.Name(f) && told.Name(f + "/x") && !told.Name(f + "x")));
        Assert.False(told.Name("/srv/a"));
        Assert.True(new ServedPlaces(["/"]).Name("/etc/x"));
        Assert.Null(ServedPlaces.Of(null));
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private string Text(string name)
    {
        using StreamReader text = new(RegularFile.OpenRead(At(name)));
        return text.ReadToEnd();
    }

    private string At(string name) => Path.Combine(_folder.FullName, name);
}
