using System.Runtime.Versioning;
using Dump.EndToEnd.Tests.Triage;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>The Debian package, unpacked by dpkg-deb where there is neither .NET nor a network.</summary>
[SupportedOSPlatform("linux")]
[Trait("Category", "Slow")]
public sealed class DebianPackageTests : IDisposable
{
    private readonly EmptyPlace _place = new();

    [SkippableFact]
    public void Package_puts_the_program_on_the_path_and_it_answers()
    {
        Skip.If(EmptyPlace.Unavailable is not null, EmptyPlace.Unavailable);
        string package = Assert.Single(Distribution.Build("debian"));
        ShellProgram unpacked = ShellProgram.Run("dpkg-deb", ["-x", package, _place.Folder]);
        Assert.True(unpacked.ExitCode == 0, unpacked.Errors);
        PackageAssert.HasNotices(Path.Combine(_place.Folder, "usr", "lib", "dumpanalyze"));
        Assert.Equal(["bin", "lib", "share"], Directory.EnumerateDirectories(Path.Combine(_place.Folder, "usr")).Select(d => Path.GetFileName(d)!).Order());
        PackageAssert.NamesLoaderDeadlock(_place.Run(
            Path.Combine(_place.Folder, "usr", "bin", "dumpanalyze"), Path.Combine(Repository.Root, "dumps-fixtures", PackageAssert.Fixture)));
    }

    [SkippableTheory]
    [InlineData("man/man1/dumpanalyze.1.gz")]
    [InlineData("bash-completion/completions/dumpanalyze")]
    [InlineData("zsh/vendor-completions/_dumpanalyze")]
    [InlineData("fish/vendor_completions.d/dumpanalyze.fish")]
    public void Package_has_the_manual_and_completions(string file)
    {
        Skip.If(EmptyPlace.Unavailable is not null, EmptyPlace.Unavailable);
        ShellProgram unpacked = ShellProgram.Run("dpkg-deb", ["-x", Assert.Single(Distribution.Build("debian")), _place.Folder]);
        Assert.True(unpacked.ExitCode == 0, unpacked.Errors);
        string text = ShellProgram.Run("bash", ["-c", "zcat -f \"$0\"", Path.Combine(_place.Folder, "usr", "share", file)]).Output;
        Assert.Contains(file.StartsWith("man", StringComparison.Ordinal) ? "lockchain" : "[suggest:", text, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Package_states_version_and_depends_on_what_its_libraries_are_linked_with()
    {
        string package = Assert.Single(Distribution.Build("debian"));
        Assert.Equal(Distribution.Version, Field(package, "Version"));
        Assert.Equal("amd64", Field(package, "Architecture"));
        ShellProgram unpacked = ShellProgram.Run("dpkg-deb", ["-x", package, _place.Folder]);
        Assert.True(unpacked.ExitCode == 0, unpacked.Errors);
        string program = Path.Combine(_place.Folder, "usr", "lib", "dumpanalyze");
        string[] needed =
        [
            .. ShellProgram.Run("bash", ["-c", "for f in \"$0\"/*.so \"$0\"/dumpanalyze; do ldd \"$f\"; done", program]).Output.Split('\n')
                .Where(l => l.Contains("not found", StringComparison.Ordinal)),
        ];

        // Tracing by LTTng is loaded only when it is asked for, and then only where it is installed.
        Assert.DoesNotContain(needed, l => !l.Contains("lttng", StringComparison.Ordinal));
        // The runtime looks for OpenSSL when the program first hashes, so nothing is linked with it.
        Assert.All(["libc6", "libssl3"], d => Assert.Contains(d, Field(package, "Depends"), StringComparison.Ordinal));
    }

    public void Dispose() => _place.Dispose();

    private static string Field(string package, string name) => ShellProgram.Run("dpkg-deb", ["-f", package, name]).Output.Trim();
}
