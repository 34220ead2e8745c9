using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>The apartment of a thread by what COM keeps of it.</summary>
public sealed class ApartmentTests
{
    private const uint A = 0x20;

    private static ComScene Scene(uint flags)
    {
        ComScene scene = new();
        scene.Calling(A);
        scene.Process.Threads[0] = scene.Process.Threads[0] with { Com = (flags, 0) };
        return scene;
    }

    private static ComApartment? Apartment(ComScene scene) => SyntheticAnalysis.Read(scene.Process).Threads[0].Apartment;

    [Theory]
    [InlineData(0x80u, ComApartmentKind.SingleThreaded)]
    [InlineData(0x100u, ComApartmentKind.MultiThreaded)]
    [InlineData(0x1081u, ComApartmentKind.SingleThreaded)]
    [InlineData(0x1001u, null)] // neither: it does not say
    [InlineData(0x180u, null)] // both: no data of COM
    public void Flags_name_the_apartment(uint flags, ComApartmentKind? kind) => Assert.Equal(kind, Apartment(Scene(flags))?.Kind);

    [Fact]
    public void Evidence_says_that_the_data_are_not_documented()
    {
        Evidence evidence = Apartment(Scene(0x80))!.Evidence;
        Assert.Equal((EvidenceSource.Memory, 0x7D000014UL), (evidence.Source, evidence.Address));
        Assert.Contains("not documented): single-threaded", evidence.Text, StringComparison.Ordinal);
    }

    /// <summary>They lie on the heap, which small dumps leave out.</summary>
    [Fact]
    public void Data_that_the_dump_lacks_are_said_to_be_missing()
    {
        ComScene scene = Scene(0x80);
        scene.Process.HasComMemory = false;
        Assert.Equal(ComApartmentKind.NotInDump, Apartment(scene)?.Kind);
    }

    [Fact]
    public void A_thread_without_COM_and_a_dump_without_TEBs_say_nothing()
    {
        ComScene scene = Scene(0x80);
        scene.Process.Threads[0] = scene.Process.Threads[0] with { Com = null };
        Assert.Null(Apartment(scene));
        ComScene bare = Scene(0x80);
        bare.Process.HasTebMemory = false;
        Assert.Null(Apartment(bare));
    }

    /// <summary>Wine keeps another structure in that place.</summary>
    [Fact]
    public void Nothing_is_read_of_Wine()
    {
        ComScene scene = Scene(0x80);
        scene.Process.Images[^1].Function("wine_get_version");
        Assert.Null(Apartment(scene));
    }

    [Fact]
    public void Text_and_JSON_have_it()
    {
        string directory = Directory.CreateTempSubdirectory("dump-apartment-").FullName;
        try
        {
            string path = Path.Combine(directory, "a.dmp");
            File.WriteAllBytes(path, Scene(0x80).Process.ToMinidump());
            Assert.Contains("  single-threaded apartment\n", DumpAnalyze.Run("threads", path).Output, StringComparison.Ordinal);
            Assert.Equal("SingleThreaded", DumpAnalyze.Json(path).Report.GetProperty("threads")[0].GetProperty("apartment").GetString());
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }
}
