using System.Diagnostics;
using Dump.Readers.Elf;
using Dump.Readers.Files;
using Dump.Readers.Minidump;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests;

/// <summary>Files that a dump names, of real users: those of root, of this user and of the dump's owner are opened, and of nobody else.</summary>
public sealed class FileOwnersTests : IDisposable
{
    private const uint Stranger = 12_345;
    private const uint Another = 12_346;
    private const string Name = "library.so";
    private static readonly byte[] s_id = [0xAB, 0xCD, 0xEF, 0x01, 0x23];
    private readonly string _folder = Directory.CreateTempSubdirectory("file-owners-").FullName;

    private string At => Path.Combine(_folder, "there", Name);

    private string Given => Path.Combine(_folder, "given");

    public FileOwnersTests()
    {
        Directory.CreateDirectory(Path.Combine(_folder, "there"));
        Directory.CreateDirectory(Given);
    }

    /// <summary>Owner of the file, of the dump, and whether it is opened.</summary>
    [SkippableTheory]
    [InlineData(0, null, true)]
    [InlineData(0, Stranger, true)]
    [InlineData(Stranger, null, false)]
    [InlineData(Stranger, Stranger, true)]
    [InlineData(Stranger, Another, false)]
    [InlineData(Another, Stranger, false)]
    public void File_is_opened_by_its_owner(uint owner, uint? ofDump, bool isOpened)
    {
        OwnedBy(owner);
        FileOwners? owners = FileOwners.With(ofDump is { } user ? [user] : []);
        ImageFiles files = new(null, null, owners);
        using FileBytes? found = files.Open(At, "abcdef0123");
        Assert.Equal(isOpened, found is not null);
        if (isOpened)
        {
            Assert.Null(files.Problem);
            return;
        }

        Assert.Equal($"not opened, because another user owns it: {At} (user {owner}); --images DIR names a folder to take such files from",
            files.Problem!.Message);
        Assert.False(files.Problem.LosesFacts);
        Assert.Throws<UnauthorizedAccessException>(() => RegularFile.OpenHandle(At, owners));
        using FileBytes anybodys = FileBytes.Open(At);
        Assert.Equal(owner, anybodys.Owner);
    }

    /// <summary>The owner of what a link leads to counts, not that of the link.</summary>
    [SkippableFact]
    public void Link_to_a_strangers_file_opens_nothing()
    {
        OwnedBy(Stranger);
        string link = Path.Combine(_folder, "link");
        File.CreateSymbolicLink(link, At);
        Assert.Null(new ImageFiles(null, null, FileOwners.With()).Open(link, "abcdef0123"));
        using FileBytes? theirs = new ImageFiles(null, null, FileOwners.With(Stranger)).Open(link, "abcdef0123");
        Assert.NotNull(theirs);
    }

    /// <summary>What the user names is read whoever owns it: by its path below the folder, by its name, by its build id; another build is not.</summary>
    [SkippableTheory]
    [InlineData("path", true)]
    [InlineData("name", true)]
    [InlineData("id", true)]
    [InlineData("other", false)]
    public void Folder_that_the_user_names_comes_first(string kind, bool isFound)
    {
        OwnedBy(Stranger);
        string place = kind switch { "path" => Given + At, "id" => Path.Combine(Given, ".build-id", "ab", "cdef0123"), _ => Path.Combine(Given, Name) };
        Directory.CreateDirectory(Path.GetDirectoryName(place)!);
        File.WriteAllBytes(place, FakeElf.Image(kind == "other" ? [0xAB, 0xCD] : s_id));
        Own(place, Another);
        ImageFiles files = new([Given], null, FileOwners.With());
        using FileBytes? found = files.Open(At, "abcdef0123");
        Assert.Equal(isFound, found is not null);
        Assert.Equal(isFound, files.Problem is null);
    }

    /// <summary>A core's text leads out of the folder that the user names to no file.</summary>
    [SkippableTheory]
    [InlineData("/../there/library.so")]
    [InlineData("/x/../../there/library.so")]
    [InlineData("../there/library.so")]
    public void Path_that_leads_out_of_a_folder_leads_nowhere(string path)
    {
        OwnedBy(Stranger);
        Assert.Null(new ImageFiles([Given], null, FileOwners.With()).Open(path, "abcdef0123"));
    }

    /// <summary>A descriptor that opens nothing looks first: no reader ever comes to a pipe, and no driver is asked.</summary>
    [SkippableTheory]
    [InlineData("pipe")]
    [InlineData("/dev/zero")]
    [InlineData("/")]
    public void Pipe_device_and_directory_are_not_opened(string name)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        string path = name;
        if (name == "pipe")
        {
            path = Path.Combine(_folder, "pipe");
            using var make = Process.Start("mkfifo", path);
            make.WaitForExit();
        }

        Assert.Throws<IrregularFileException>(() => RegularFile.OpenHandle(path, FileOwners.With()));
        Assert.Null(new ImageFiles(null, null, FileOwners.With()).Open(path, "abcdef0123"));
    }

    [SkippableFact]
    public void Only_some_of_many_files_are_named()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        FileOwners owners = FileOwners.With()!;
        for (int i = 0; i < 2_000; i++)
        {
            owners.Take($"/{i:d4}\u001b[2J", Stranger);
        }

        Assert.Contains("them: /0000", owners.Problem!.Message, StringComparison.Ordinal);
        Assert.Contains(" and 997 more; ", owners.Problem.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\u001b', owners.Problem.Message);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private void OwnedBy(uint owner)
    {
        Skip.IfNot(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, "giving files to other users needs root");
        File.WriteAllBytes(At, FakeElf.Image(s_id));
        Own(At, owner);
    }

    private static void Own(string path, uint owner)
    {
        using var change = Process.Start("chown", [$"{owner}", path]);
        change.WaitForExit();
        Skip.If(change.ExitCode != 0, "files of this system cannot be given away");
    }
}
