using System.Text;
using Dump.Readers.Stores;
using Dump.Readers.Symbols.Portable;

namespace Dump.Readers.Tests.Symbols;

/// <summary>Which assemblies come from packages, by the dependency file of the program beside them.</summary>
public sealed class PackageAssembliesTests : IDisposable
{
    private const string Dependencies = """
        {
          "runtimeTarget": { "name": ".NETCoreApp,Version=v10.0", "signature": "" },
          "targets": {
            ".NETCoreApp,Version=v10.0": {
              "shop/1.0.0": { "dependencies": { "Quartz": "3.8.0" }, "runtime": { "shop.dll": {} } },
              "Quartz/3.8.0": { "runtime": { "lib/net8.0/Quartz.dll": { "assemblyVersion": "3.8.0.0" } } },
              "librdkafka.redist/2.3.0": { "runtimeTargets": { "runtimes/linux-x64/native/librdkafka.so": { "rid": "linux-x64", "assetType": "native" } } },
              "Shared/1.0.0": { "runtime": { "Shared.dll": {} } }
            }
          },
          "libraries": {
            "shop/1.0.0": { "type": "project" }, "Quartz/3.8.0": { "type": "package" }, "librdkafka.redist/2.3.0": { "type": "package" },
            "Shared/1.0.0": { "type": "project" }
          }
        }
        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("dump-packages-").FullName;

    [Fact]
    public void Assemblies_are_told_by_the_dependency_file_of_the_program()
    {
        File.WriteAllText(At("shop.deps.json"), Dependencies);
        Assert.Equal([false, true, false, null, null], Of("shop.dll", "Quartz.dll", "Shared.dll", "Other.dll", "elsewhere/Quartz.dll"));
    }

    /// <summary>The assembly that the file belongs to need not have code on a stack.</summary>
    [Fact]
    public void Program_itself_may_be_a_module_without_a_frame()
    {
        File.WriteAllText(At("shop.deps.json"), Dependencies);
        Assert.True(new PackageAssemblies(ProcessFiles.Here, [At("Quartz.dll")], [At("shop.dll")]).Contains(At("Quartz.dll")));
        Assert.Null(new PackageAssemblies(ProcessFiles.Here, [At("Quartz.dll")], []).Contains(At("Quartz.dll")));
    }

    /// <summary>A package's native library lies beside the program where it is published for one system, else in a folder for each.</summary>
    [Fact]
    public void Native_libraries_are_told_as_well()
    {
        File.WriteAllText(At("shop.deps.json"), Dependencies);
        PackageAssemblies packages = new(ProcessFiles.Here, [At("shop.dll")], []);
        Assert.True(packages.Contains(At("librdkafka.so")));
        Assert.True(packages.Contains(At("runtimes/linux-x64/native/librdkafka.so")));
        Assert.Null(packages.Contains(At("runtimes/linux-x64/librdkafka.so")));
        Assert.Null(packages.Contains(At("native/librdkafka.so")));
        Assert.Null(packages.Contains(At("libother.so")));
        Assert.Null(packages.Contains("/usr/lib/librdkafka.so"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("{")]
    [InlineData("""{"libraries":{},"targets":{"x":5}}""")]
    [InlineData("""{"libraries":{"a":{"type":7}},"targets":{"x":{"a":{"runtime":{"a.dll":1}}}}}""")]
    [InlineData("""{"libraries":{"a":7},"targets":{"x":{"a":{"runtime":[]}}}}""")]
    [InlineData("""{"libraries":{"a":{"type":"package"}},"targets":{"x":{"a":"b"}}}""")]
    public void Other_files_tell_nothing(string content)
    {
        File.WriteAllText(At("shop.deps.json"), content);
        Assert.Equal([null, null], Of("shop.dll", "a.dll"));
    }

    [Fact]
    public void Damaged_file_tells_something_or_nothing()
    {
        byte[] whole = Encoding.UTF8.GetBytes(Dependencies);
        Random random = new(44);
        for (int i = 0; i < 3_000; i++)
        {
            byte[] damaged = [.. whole];
            for (int changes = random.Next(1, 6); changes > 0; changes--)
            {
                damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            }

            Assert.True(PackageAssemblies.Parse(damaged) is null or { Count: <= 8 });
        }
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string At(string name) => Path.Combine(_folder, name);

    private bool?[] Of(params string[] names) =>
        [.. names.Select(n => new PackageAssemblies(ProcessFiles.Here, names.Select(At), []).Contains(At(n)))];
}
