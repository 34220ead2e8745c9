using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>A stripped program has the names of its functions from the small symbol table that is packed inside of it, as Fedora's programs have it.</summary>
[SupportedOSPlatform("linux")]
public sealed class PackedSymbolTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-packed-symbols-").FullName;

    [SkippableTheory]
    [InlineData(true)]
    [InlineData(false)]
    public void Stripped_program_has_the_names_that_are_packed_inside(bool isPacked)
    {
        Skip.If(NativeLinuxLab.CUnavailable is not null, NativeLinuxLab.CUnavailable);
        string symbols = Path.Combine(_directory, "symbols"), program = Path.Combine(_directory, "stripped");
        Run("objcopy", "--only-keep-debug", NativeLinuxLab.CProgram, symbols);
        Run("objcopy", "--strip-debug", symbols);
        Run("xz", symbols);
        Run("objcopy", ["--strip-all", .. isPacked ? (string[])["--add-section", $".gnu_debugdata={symbols}.xz"] : [], NativeLinuxLab.CProgram, program]);
        using LiveScene running = NativeLinuxLab.StartProgram("normal-cycle", program);
        (int exitCode, JsonElement report) = LiveLook.At(running);
        VerdictAssert.Is("DUMP1002", exitCode, report);
        Assert.Equal(isPacked, report.Member("verdicts")[0].Member("lookAt").GetRawText().Contains("take_second", StringComparison.Ordinal));
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private static void Run(string program, params string[] arguments)
    {
        try
        {
            using Process process = Process.Start(program, arguments);
            process.WaitForExit();
            Assert.Equal(0, process.ExitCode);
        }
        catch (Win32Exception)
        {
            Skip.If(true, $"needs {program}");
        }
    }
}
