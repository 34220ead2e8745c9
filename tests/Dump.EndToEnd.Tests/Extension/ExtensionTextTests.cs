using System.Diagnostics;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>The extension's own unit tests (GoogleTest, <c>ext-native/tests</c>), of the parts that need no debugger, built for this system.</summary>
public sealed class ExtensionTextTests
{
    [SkippableFact]
    public void Unit_tests_of_the_extension_pass()
    {
        Skip.If(!OperatingSystem.IsLinux(), "needs Linux");
        string source = Path.Combine(Repository.Root, "ext-native");
        (int found, string versions) = Run(source, "sh", "-c", "cmake --version && g++ --version && ls /usr/include/gtest/gtest.h");
        Skip.If(found != 0, $"needs cmake, g++ and the Debian package libgtest-dev: {versions}");
        (int configured, string configuration) = Run(source, "cmake", "--preset", "tests");
        Assert.True(configured == 0, configuration);
        (int built, string build) = Run(source, "cmake", "--build", "--preset", "tests");
        Assert.True(built == 0, build);
        (int passed, string tests) = Run(source, "ctest", "--preset", "tests");
        Assert.True(passed == 0, tests);
        Assert.Matches("100% tests passed, 0 tests failed out of [0-9]{2,}", tests);
    }

    private static (int ExitCode, string Output) Run(string directory, string program, params string[] arguments)
    {
        ProcessStartInfo start = new(program, arguments) { WorkingDirectory = directory, RedirectStandardOutput = true, RedirectStandardError = true };
        using Process process = Process.Start(start) ?? throw new InvalidOperationException($"{program} did not start.");
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, output + errors.GetAwaiter().GetResult());
    }
}
