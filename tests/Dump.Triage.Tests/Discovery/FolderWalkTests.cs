using System.Diagnostics;
using System.Net.Sockets;
using Dump.Triage.Discovery;

namespace Dump.Triage.Tests.Discovery;

/// <summary>Folders as they are found on shared disks: links in circles, pipes, folders of others.</summary>
[System.Runtime.Versioning.SupportedOSPlatform("linux")]
public sealed class FolderWalkTests : IDisposable
{
    private readonly TriageFolder _folder = new();
    private readonly List<TriageWarning> _warnings = [];

    [Fact]
    public void Files_come_in_ordinal_order_with_their_paths()
    {
        _folder.Pretend("b/x.dmp");
        _folder.Pretend("a.dmp");
        _folder.Pretend("B/y.dmp");
        Assert.Equal(["a.dmp", "B/y.dmp", "b/x.dmp"], Paths());
        Assert.Empty(_warnings);
    }

    /// <summary>On Windows nobody else can open them, which would read as a gap.</summary>
    [Fact]
    public void Locks_of_watches_are_passed_over_in_silence()
    {
        _folder.Pretend("a.dmp");
        File.WriteAllText(_folder.At(".dumpanalyze-prune"), "");
        File.WriteAllText(_folder.At(".dumpanalyze-prune-1-of-2"), "");
        Assert.Equal(["a.dmp"], Paths());
        Assert.Empty(_warnings);
    }

    [Fact]
    public void Captures_that_are_being_made_are_passed_over()
    {
        _folder.Pretend("shop-4711/first.core");
        _folder.Pretend(CaptureNames.PendingStart + "x/first.core");
        Assert.Equal(["shop-4711/first.core"], Paths());
        Assert.Empty(_warnings);
    }

    [SkippableFact]
    public void Circle_of_links_ends_and_each_folder_goes_by_its_own_name()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "symbolic links need rights on Windows");
        _folder.Pretend("real/x.dmp");
        Directory.CreateSymbolicLink(_folder.At("a-link"), _folder.At("real"));
        Directory.CreateSymbolicLink(_folder.At("real", "up"), _folder.Dumps);
        File.CreateSymbolicLink(_folder.At("self"), _folder.At("self"));
        Assert.Equal(["real/x.dmp"], Paths());
        Assert.Equal(["self"], _warnings.Select(w => w.Path));
    }

    [SkippableFact]
    public void Linked_folder_and_file_outside_are_found()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "symbolic links need rights on Windows");
        DirectoryInfo other = Directory.CreateTempSubdirectory("dumpanalyze-other-");
        try
        {
            File.WriteAllBytes(Path.Combine(other.FullName, "x.dmp"), "MDMP"u8.ToArray());
            Directory.CreateSymbolicLink(_folder.At("link"), other.FullName);
            File.CreateSymbolicLink(_folder.At("file"), Path.Combine(other.FullName, "x.dmp"));
            Assert.Equal(["file", "link/x.dmp"], Paths());
        }
        finally
        {
            other.Delete(recursive: true);
        }
    }

    [SkippableFact]
    public void Pipe_and_socket_are_warnings_and_not_opened()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "pipes and sockets of the file system are Linux'");
        using (var mkfifo = Process.Start("mkfifo", [_folder.At("pipe.dmp")]))
        {
            mkfifo.WaitForExit();
        }

        using Socket socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Bind(new UnixDomainSocketEndPoint(_folder.At("s")));
        File.CreateSymbolicLink(_folder.At("zero.dmp"), "/dev/zero");
        Assert.Empty(Paths());
        Assert.Equal([("pipe.dmp", "this is a pipe, which is not opened"), ("s", "this is a socket, which is not opened"),
            ("zero.dmp", "this is a device, which is not opened")], _warnings.Select(w => (w.Path, w.Message)));
    }

    [SkippableFact]
    public void Folder_of_somebody_else_is_a_warning()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "rights are set on Linux only");
        Skip.If(Environment.IsPrivilegedProcess, "root may read everything: RunCommandLineTests tries it as another user");
        _folder.Pretend("closed/x.dmp");
        _folder.Pretend("open.dmp");
        File.SetUnixFileMode(_folder.At("closed"), UnixFileMode.None);
        Assert.Equal(["open.dmp"], Paths());
        Assert.Equal(["closed/"], _warnings.Select(w => w.Path));
    }

    public void Dispose() => _folder.Dispose();

    private string[] Paths() => [.. new FolderWalk(_warnings, []).Files(_folder.Dumps, "", default).Select(f => f.Path)];
}
