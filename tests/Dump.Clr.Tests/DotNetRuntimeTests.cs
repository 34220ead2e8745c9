using Dump.Clr.Runtimes;

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
}
