using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using Dump.Clr.Runtimes;
using Dump.Readers.Files;

namespace Dump.Clr.Tests;

/// <summary>What may be loaded as code on Linux, and what not: files of root and of other users, as root sees them.</summary>
[SupportedOSPlatform("linux")]
public sealed class CodeFileTests : IDisposable
{
    private const int Stranger = 4242;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dump-code-");

    private string Folder => Path.Combine(_folder.FullName, "a", "runtime");

    private string Library => Path.Combine(Folder, "library.so");

    public CodeFileTests()
    {
        Directory.CreateDirectory(Folder);
        File.WriteAllText(Library, "code");
    }

    [SkippableFact]
    public void A_file_of_ones_own_is_opened_and_read_by_its_descriptor()
    {
        RequireLinux();
        CodeFile file = CodeFile.Open(Library, out string? refusal)!;
        Assert.Null(refusal);
        Assert.Equal((Library, "code"), (file.Path, File.ReadAllText(file.LoadPath)));
        Assert.Same(file, CodeFile.Open(Library, out _));
        File.Move(Library, Library + ".old");
        File.WriteAllText(Library, "other code");
        Assert.Equal("code", File.ReadAllText(file.LoadPath));
        Assert.Equal("other code", File.ReadAllText(CodeFile.Open(Library, out _)!.LoadPath));
    }

    [SkippableFact]
    public void What_is_not_there_is_not_refused()
    {
        RequireLinux();
        Assert.Null(CodeFile.Open(Library + ".none", out string? refusal));
        Assert.Null(refusal);
        Assert.Null(CodeFile.Open(Folder, out refusal));
        Assert.Null(refusal);
    }

    /// <summary>Each changes one thing; <c>$0</c> is the folder that holds the library, <c>$1</c> one above it, <c>$2</c> another place.</summary>
    [SkippableTheory]
    [InlineData("chown 4242 $0/library.so", "/library.so belongs to user 4242")]
    [InlineData("chown 4242 $0", "/runtime belongs to user 4242")]
    [InlineData("chown 4242 $1", "/a belongs to user 4242")]
    [InlineData("chgrp 4242 $0/library.so; chmod 664 $0/library.so", "group 4242 may write to /")]
    [InlineData("chgrp 4242 $0; chmod 775 $0", "group 4242 may write to /")]
    [InlineData("chgrp 4242 $1; chmod 2775 $1", "group 4242 may write to /")]
    [InlineData("chmod 666 $0/library.so", "everybody may write to /")]
    [InlineData("chmod 777 $1", "everybody may write to /")]
    [InlineData("chmod 1777 $0", "everybody may write to /")]
    [InlineData("chmod 1777 $1; chown 4242 $0", "/runtime belongs to user 4242")]
    [InlineData("mkdir $2; cp $0/library.so $2; chown -R 4242 $2; ln -sf $2/library.so $0/library.so", " belongs to user 4242")]
    [InlineData("mkdir $2; cp $0/library.so $2; chown -R 4242 $2; rm -r $0; ln -s $2 $0", " belongs to user 4242")]
    [InlineData("chmod 1777 $1; mv $0 $2; ln -s $2 $0; chown -h 4242 $0", "/runtime belongs to user 4242")]
    [InlineData("rm $0/library.so; ln -s library.so $0/library.so", "its path has too many links")]
    [InlineData("mkdir $2; cp $0/library.so $2; chown -R 4242 $2; mount --bind $2 $0", "/runtime belongs to user 4242")]
    [InlineData("mkdir $2; cp $0/library.so $2/x; chown -R 4242 $2; mount --bind $2/x $0/library.so", "/library.so belongs to user 4242")]
    public void What_another_user_can_write_is_refused(string change, string reason)
    {
        RequireRoot();
        Change(change);
        Assert.Null(CodeFile.Open(Library, out string? refusal));
        Assert.Contains(reason, refusal, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("chmod 1777 $1")]
    [InlineData("chgrp 4242 $0/library.so; chmod 644 $0/library.so")]
    [InlineData("mv $0/library.so $1/x; ln -s ../x $0/library.so")]
    [InlineData("mv $0 $2; ln -s $2 $0")]
    public void What_nobody_else_can_write_is_opened(string change)
    {
        RequireRoot();
        Change(change);
        Assert.True(CodeFile.Open(Library, out string? refusal) is not null, refusal);
    }

    /// <summary>Under umask 002 what a user makes is writable for a group that is his alone; user 1 of Debian has one of his number.</summary>
    [SkippableFact]
    public void A_group_of_the_caller_alone_is_the_caller()
    {
        RequireRoot();
        Change("chown -R 1:1 $1; chmod -R 775 $1; chown 1 $1/.. ");
        string? line = File.ReadLines("/etc/group").FirstOrDefault(l => l.Split(':') is [_, _, "1", ""]);
        Skip.If(line is null, "group 1 has members here");
        Assert.Null(CodeFile.RefusalFor(Library, 1, 1));
        Assert.Contains("group 1 may write to", CodeFile.RefusalFor(Library, 1, 0), StringComparison.Ordinal);
        Change("chgrp 4242 $1");
        Assert.Contains("group 4242 may write to", CodeFile.RefusalFor(Library, 1, 1), StringComparison.Ordinal);
    }

    /// <summary>Containers keep their files in layers, whose device the list of mappings names.</summary>
    [SkippableFact]
    public void A_mapped_file_is_known_in_a_container_too()
    {
        RequireRoot();
        Change("mkdir -p $2/lower $2/upper $2/work; cp $(readlink -f /bin/sleep) $2/lower/sleep; cp $(readlink -f /bin/sleep) $2/lower/other; "
            + "mount -t overlay overlay -o lowerdir=$2/lower,upperdir=$2/upper,workdir=$2/work $0");
        string program = Path.Combine(Folder, "sleep");
        using Process process = Process.Start(program, "600");
        try
        {
            string[] mapped = [];
            Assert.True(SpinWait.SpinUntil(
                () => (mapped = [.. File.ReadLines($"/proc/{process.Id}/maps").Where(l => l.EndsWith("/runtime/sleep", StringComparison.Ordinal))]) is not [],
                TimeSpan.FromMinutes(1)));
            string[] fields = mapped[0].Split(' ', StringSplitOptions.RemoveEmptyEntries);
            FileIdentity file = new(Hexadecimal(fields[3][..2]), Hexadecimal(fields[3][3..]), ulong.Parse(fields[4], CultureInfo.InvariantCulture));
            Assert.True(CodeFile.Open(program, out string? refusal)?.Is(file), refusal ?? mapped[0]);
            Assert.False(CodeFile.Open(Path.Combine(Folder, "other"), out _)!.Is(file));
        }
        finally
        {
            process.Kill();
            process.WaitForExit();
        }
    }

    public void Dispose()
    {
        if (Environment.IsPrivilegedProcess)
        {
            Shell("umount -l $0/library.so $0 2> /dev/null; true");
        }

        _folder.Delete(recursive: true);
    }

    private static uint Hexadecimal(string text) => uint.Parse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);

    private static void RequireLinux() => Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");

    private static void RequireRoot()
    {
        RequireLinux();
        Skip.IfNot(Environment.IsPrivilegedProcess, $"needs root, to give files to user {Stranger}");
    }

    private void Change(string commands)
    {
        int exitCode = Shell(commands);
        Skip.If(exitCode != 0 && commands.Contains("mount ", StringComparison.Ordinal), "needs the right to mount");
        Assert.Equal(0, exitCode);
    }

    private int Shell(string commands)
    {
        using Process shell = Process.Start("sh", ["-ec", commands, Folder, Path.GetDirectoryName(Folder)!, Path.Combine(_folder.FullName, "other")]);
        shell.WaitForExit();
        return shell.ExitCode;
    }
}
