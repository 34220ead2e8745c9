using Dump.Clr.Runtimes;
using Dump.Fuzz.Inputs;
using Dump.Model.Facts;
using Dump.Model.Waits;
using Dump.Readers.Pe;
using Dump.Testing.Synthetic;

namespace Dump.Clr.Tests;

/// <summary>The data-access library of .NET Framework comes from the user's directory or the installed Framework, and is that of the dump's build.</summary>
public sealed class FrameworkDacTests : IDisposable
{
    private readonly DirectoryInfo _directory = Directory.CreateTempSubdirectory("dump-framework-");

    public void Dispose() => _directory.Delete(recursive: true);

    [Fact]
    public void User_directory_comes_first_and_then_the_installed_Framework() => Assert.Equal(
        ["mine", Path.Combine("win", "Microsoft.NET", "Framework64", "v4.0.30319")], FrameworkDac.Directories("mine", "win"));

    [Fact]
    public void Without_a_Windows_folder_there_is_nothing_but_what_the_user_names() => Assert.Empty(FrameworkDac.Directories(null, ""));

    [Fact]
    public void Library_counts_when_the_runtime_beside_it_is_the_dumps()
    {
        PeFileIdentity runtime = Write("clr.dll");
        PeFileIdentity library = Write("mscordacwks.dll");
        PeFileIdentity other = runtime with { TimeDateStamp = runtime.TimeDateStamp + 1 };
        Assert.True(FrameworkDac.Matches(_directory.FullName, null, runtime));
        Assert.False(FrameworkDac.Matches(_directory.FullName, null, other));
        Assert.False(FrameworkDac.Matches(_directory.FullName, null, null));
        Assert.True(FrameworkDac.Matches(_directory.FullName, library, other));
        Assert.False(FrameworkDac.Matches(_directory.FullName, other, runtime));
    }

    [Fact]
    public void Runtime_without_the_library_does_not_count()
    {
        PeFileIdentity runtime = Write("clr.dll");
        Assert.False(FrameworkDac.Matches(_directory.FullName, null, runtime));
    }

    [Fact]
    public void No_fact_of_such_a_process_counts_as_proven()
    {
        ManagedHalf half = FrameworkHalf.Careful(ManagedHalves.Managed(), new DotNetRuntime("clr.dll", new Version(4, 8, 4645, 0)));
        Assert.All(half.Waits, (WaitFact w) => Assert.True(w.Grade < Grade.Proven));
        Assert.All(half.Ownerships, (OwnershipFact o) => Assert.True(o.Grade < Grade.Proven));
        Assert.Contains(".NET Framework (clr.dll 4.8.4645.0)", half.Origin, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, "; the .NET Framework of this machine is another build")]
    [InlineData(false, ".NET Framework (clr.dll)")]
    public void Other_build_on_Windows_is_said(bool hasOther, string end) => Assert.EndsWith(
        end, new DotNetRuntime("clr.dll", null).OtherFrameworkHere(hasOther).What, StringComparison.Ordinal);

    private PeFileIdentity Write(string name)
    {
        string path = Path.Combine(_directory.FullName, name);
        File.WriteAllBytes(path, new FakeImage(path, 0x180000000).ToMemory());
        return PeFileIdentity.Read(path)!.Value;
    }
}
