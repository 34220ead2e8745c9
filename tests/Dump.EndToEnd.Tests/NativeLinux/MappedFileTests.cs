using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>The very file that a living process has mapped, whatever lies at its path by now.</summary>
[SupportedOSPlatform("linux")]
public sealed class MappedFileTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-mapped-").FullName;

    /// <summary>A program that was deleted, and one that an upgrade has replaced by another build, have the names and lines of what runs.</summary>
    [SkippableTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void Program_that_is_gone_has_its_names(bool isReplaced)
    {
        Skip.If(NativeLinuxLab.CUnavailable is not null, NativeLinuxLab.CUnavailable);
        string program = Path.Combine(_directory, "c-hang");
        File.Copy(NativeLinuxLab.CProgram, program);
        using LiveScene running = NativeLinuxLab.StartProgram("recursive-cycle", program);
        File.Delete(program);
        if (isReplaced)
        {
            File.Copy(NativeLinuxLab.ProgramWithoutTables, program);
        }

        AssertHasNames(running);
    }

    /// <summary>A program whose linker wrote no build id: no other file can be taken for it, and its own is the one that is mapped.</summary>
    [SkippableFact]
    public void Program_without_a_build_id_has_its_names()
    {
        Skip.If(NativeLinuxLab.CUnavailable is not null, NativeLinuxLab.CUnavailable);
        string program = Path.Combine(_directory, "c-hang");
        byte[] bytes = File.ReadAllBytes(NativeLinuxLab.CProgram);
        int note = bytes.AsSpan().IndexOf("\u0003\0\0\0GNU\0"u8);
        Assert.True(note > 0, "the program has no note with a build id");

        // The note stays a note, of a kind that nobody knows.
        bytes[note] = 0x7F;
        File.WriteAllBytes(program, bytes);
        File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        using LiveScene running = NativeLinuxLab.StartProgram("recursive-cycle", program);
        AssertHasNames(running);
    }

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private static void AssertHasNames(LiveScene running)
    {
        (int exitCode, JsonElement report) = LiveLook.At(running);
        Assert.Equal(10, exitCode);
        JsonElement place = report.Member("verdicts")[0].Member("lookAt")[0];
        Assert.StartsWith("c-hang!", place.Member("code").GetString(), StringComparison.Ordinal);
        Assert.EndsWith("musl-hang.c", place.Member("source").Member("file").GetString(), StringComparison.Ordinal);
    }
}
