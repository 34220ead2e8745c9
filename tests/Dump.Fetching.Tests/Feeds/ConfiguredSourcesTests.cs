using Dump.Fetching.Feeds;

namespace Dump.Fetching.Tests.Feeds;

/// <summary>The sources of NuGet configuration files.</summary>
public sealed class ConfiguredSourcesTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dump-sources-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void Later_files_go_before_and_may_clear_or_switch_off()
    {
        string machine = Write("machine", """
            <configuration><packageSources>
              <add key="company" value="https://feed.example/v3/index.json" /><add key="old" value="https://old.example/index.json" />
            </packageSources></configuration>
            """);
        string user = Write("user", """
            <configuration>
              <packageSources><add key="Company" value="https://other.example/v3/index.json" protocolVersion="3" />
                <add key="local" value="packages" /></packageSources>
              <disabledPackageSources><add key="old" value="true" /></disabledPackageSources>
            </configuration>
            """);
        Assert.Equal(
            [new PackageSource("company", "https://other.example/v3/index.json"), new PackageSource("local", Path.Combine(_folder.FullName, "packages"))],
            ConfiguredSources.Read([machine, user]));
        string clearing = Write("clearing", """<configuration><packageSources><clear /></packageSources></configuration>""");
        Assert.Empty(ConfiguredSources.Read([machine, user, clearing]));
    }

    [Theory]
    [InlineData("")]
    [InlineData("no xml")]
    [InlineData("""
        <!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><configuration><packageSources><add key="&b;" value="x" /></packageSources></configuration>
        """)]
    [InlineData("<configuration><packageSources><add key='a' /><add value='b' /><other /></packageSources></configuration>")]
    public void Damaged_files_have_no_sources(string content) => Assert.Empty(ConfiguredSources.Read([Write("damaged", content), "/nowhere/at.all"]));

    [Theory]
    [InlineData("https://feed.example/v3/index.json", true)]
    [InlineData("http://127.0.0.1:80/v3/index.json", true)]
    [InlineData("http://feed.example/v3/index.json", false)]
    [InlineData("http://127.0.0.1.example/v3/index.json", false)]
    [InlineData("ftp://feed.example/", false)]
    [InlineData("no-such-directory", false)]
    public void Addresses_that_users_give_are_checked(string address, bool isGood) => Assert.Equal(isGood, FeedAddress.Problem(address) is null);

    private string Write(string name, string content)
    {
        string path = Path.Combine(_folder.FullName, name);
        File.WriteAllText(path, content);
        return path;
    }
}
