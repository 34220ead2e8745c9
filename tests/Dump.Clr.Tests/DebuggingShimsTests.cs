using System.Diagnostics;
using Dump.Clr.Runtimes;

namespace Dump.Clr.Tests;

/// <summary>Where DbgShim may be loaded from: the named file, else one beside a runtime that is trusted; each refusal says why.</summary>
public sealed class DebuggingShimsTests : IDisposable
{
    private readonly DirectoryInfo _directory = Directory.CreateTempSubdirectory("dump-shim-");

    public void Dispose() => _directory.Delete(recursive: true);

    [Fact]
    public void Without_the_library_the_words_say_so()
    {
        LocatedShim none = DebuggingShims.Find(null, [_directory.FullName], _ => null);
        Assert.Null(none.Path);
        Assert.StartsWith($"no {DebuggingShims.FileName} beside the installed runtimes", none.Words, StringComparison.Ordinal);
    }

    [Fact]
    public void Named_file_that_does_not_exist_is_said()
    {
        LocatedShim none = DebuggingShims.Find(Path.Combine(_directory.FullName, "x"), [], _ => null);
        Assert.Null(none.Path);
        Assert.EndsWith("x does not exist", none.Words, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData(62, null)]
    [InlineData(3, "is for another processor")]
    [InlineData(183, "is for another processor")]
    public void Library_for_another_processor_is_not_taken(byte machine, string? expected)
    {
        Skip.IfNot(OperatingSystem.IsLinux() && System.Runtime.InteropServices.RuntimeInformation.ProcessArchitecture
            == System.Runtime.InteropServices.Architecture.X64, "needs Linux on x64");
        string file = Write(machine);
        foreach (LocatedShim shim in (LocatedShim[])[DebuggingShims.Find(file, [], _ => null), DebuggingShims.Find(null, [_directory.FullName], _ => null)])
        {
            Assert.Equal(expected is null ? file : null, shim.Path);
            Assert.Contains(expected ?? "", shim.Words, StringComparison.Ordinal);
        }
    }

    [SkippableFact]
    public void File_that_is_no_library_is_not_taken()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        string file = Path.Combine(_directory.FullName, DebuggingShims.FileName);
        File.WriteAllText(file, "#!/bin/sh");
        Assert.EndsWith("is no library of Linux", DebuggingShims.Find(file, [], _ => null).Words, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Pipe_is_not_waited_for()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "named pipes are no files elsewhere");
        string pipe = Path.Combine(_directory.FullName, DebuggingShims.FileName);
        using (Process make = Process.Start("mkfifo", pipe))
        {
            make.WaitForExit();
        }

        LocatedShim none = DebuggingShims.Find(pipe, [], _ => null);
        Assert.Null(none.Path);
        Assert.Contains("cannot be read", none.Words, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void File_that_nobody_names_must_be_trusted_and_a_named_one_is_vouched_for()
    {
        Skip.IfNot(OperatingSystem.IsLinux() && System.Runtime.InteropServices.RuntimeInformation.ProcessArchitecture
            == System.Runtime.InteropServices.Architecture.X64, "needs Linux on x64");
        string file = Write(62);
        LocatedShim refused = DebuggingShims.Find(null, [_directory.FullName], _ => "Windows does not find its signature valid (0x800b0100)");
        Assert.Null(refused.Path);
        Assert.EndsWith("is not loaded: Windows does not find its signature valid (0x800b0100)", refused.Words, StringComparison.Ordinal);
        Assert.Equal(file, DebuggingShims.Find(file, [], _ => "unsigned").Path);
    }

    private string Write(byte machine)
    {
        string file = Path.Combine(_directory.FullName, DebuggingShims.FileName);
        byte[] head = new byte[64];
        "\u007fELF\u0002"u8.CopyTo(head);
        head[18] = machine;
        File.WriteAllBytes(file, head);
        return file;
    }
}
