using Dump.Model.Facts;

namespace Dump.Analysis.Tests;

/// <summary>Runtimes that are known by the names of their files, and the advice that names their tools.</summary>
public sealed class OtherRuntimeTests
{
    [Theory]
    [InlineData("python3.11", "CPython 3.11")]
    [InlineData("libpython3.11.so.1.0", "CPython 3.11")]
    [InlineData("libjvm.so", "the Java virtual machine")]
    [InlineData("node", "Node.js")]
    [InlineData("libnode.so.108", "Node.js")]
    [InlineData("php-fpm8.2", "PHP 8.2")]
    [InlineData("libphp.so", "PHP")]
    [InlineData("libruby-3.1.so.3.1", "Ruby 3.1")]
    [InlineData("pythonish3.11", null)]
    [InlineData("libpython3.11-extra.so", null)]
    [InlineData("mylibjvm.so", null)]
    [InlineData("nodejs-exporter", null)]
    [InlineData("", null)]
    public void Runtime_is_known_by_a_module(string module, string? expected)
    {
        Assert.Equal(expected, OtherRuntime.In(["libc.so.6", module]));
        Assert.Equal(expected is null, OtherRuntime.Named(expected) is null);
    }

    [Fact]
    public void Advice_names_the_process_where_it_lives()
    {
        MissingData missing = MissingData.Of(MissingKind.CodeOfOtherRuntime, subject: "CPython 3.11");
        Assert.Equal("py-spy dump --pid 4711 --native", missing.For(new CaptureTarget(IsLinux: true, RunsDotNet: false, 4711)).CaptureAdvice);
        Assert.DoesNotContain("{0}", missing.For(new CaptureTarget(IsLinux: true, RunsDotNet: false, null)).CaptureAdvice, StringComparison.Ordinal);
    }
}
