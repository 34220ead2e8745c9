using Dump.Clr.Runtimes;
using Dump.Model.Process;

namespace Dump.Clr.Tests;

/// <summary>Reports name the runtime by its release where its file version carries it.</summary>
public sealed class DotNetRuntimeTests
{
    // File versions of coreclr.dll in the runtime packages of these releases; the fourth is .NET Core 2.0.0's.
    [Theory]
    [InlineData("coreclr.dll", "10.0.1226.42308", "10.0.12")]
    [InlineData("coreclr.dll", "6.0.1322.58009", "6.0.13")]
    [InlineData("coreclr.dll", "8.0.3026.36720", "8.0.30")]
    [InlineData("coreclr.dll", "4.6.25519.2", null)]
    [InlineData("clr.dll", "4.8.4645.0", null)]
    [InlineData("coreclr.dll", null, null)]
    public void Release_comes_from_the_file_version(string module, string? version, string? expected) =>
        Assert.Equal(expected, new DotNetRuntime(module, version is null ? null : Version.Parse(version)).Release);

    /// <summary>The version of a program in a single file is its own, not that of the runtime inside.</summary>
    [Theory]
    [InlineData(true, ".NET (inside of shop.exe)")]
    [InlineData(false, ".NET Framework (shop.exe 3.2.1.0)")]
    [InlineData(null, ".NET Framework (shop.exe 3.2.1.0)")]
    public void Runtime_inside_of_a_program_has_no_version_there(bool? isInside, string expected) => Assert.Equal(expected,
        DotNetRuntime.Of(new ModuleSnapshot("shop.exe", @"C:\app\shop.exe", 0x10000, 0x1000, 1, "3.2.1.0", false) { HoldsDotNetRuntime = isInside }).Name);
}
