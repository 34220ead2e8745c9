using System.Globalization;
using Dump.Analysis;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Windows;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Windows;

/// <summary>A small dump without its images gets the verdict of the full one when a symbol store of the user's symbol path has them.</summary>
public sealed class ImageCacheTests : IDisposable
{
    private const uint First = 0x10;
    private const uint Second = 0x14;
    private const uint WritableData = 0x1000;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dumpanalyze-cache-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Theory]
    [InlineData("flat")]
    [InlineData("two-tier")]
    [InlineData("compressed")]
    public void A_small_dump_with_its_images_in_a_store_is_judged_as_the_full_one(string store)
    {
        CriticalSectionScene scene = new();
        ulong held = scene.Section(First, 1);
        ulong wanted = scene.Section(Second, 1);
        scene.Waiter(First, wanted, LockTrace.Argument);
        scene.Waiter(Second, held, LockTrace.Argument);
        byte[] full = scene.Process.ToMinidump();
        byte[] small = StrippedMinidump.Of(full, WritableData);
        foreach (FakeImage image in scene.Process.Images)
        {
            Store(store, Path.GetFileName(image.Path.Replace('\\', '/')), image.ToMemory());
        }

        Assert.Equal([Confidence.Confirmed], Verdicts(full, null).Select(v => v.Confidence));
        Assert.DoesNotContain(Verdicts(small, null), v => v.Confidence == Confidence.Confirmed);
        Assert.Equal(
            Verdicts(full, null).SelectMany(v => v.Claims.Select(c => c.Text)),
            Verdicts(small, $"cache*;srv*{_folder.FullName}*https://symbols.example").SelectMany(v => v.Claims.Select(c => c.Text)));
    }

    /// <summary>Images of another build are there under the right key all the same: what a file says of itself decides.</summary>
    [Fact]
    public void Images_of_another_build_are_not_taken()
    {
        CriticalSectionScene scene = new();
        ulong held = scene.Section(First, 1);
        scene.Waiter(First, held, LockTrace.Argument);
        foreach (FakeImage image in scene.Process.Images)
        {
            byte[] other = image.ToMemory();
            string name = Path.GetFileName(image.Path.Replace('\\', '/'));
            Store("flat", name, other);
            other[0x88] ^= 1; // the time stamp
            File.WriteAllBytes(Directory.GetFiles(Path.Combine(_folder.FullName, name), name, SearchOption.AllDirectories).Single(), other);
        }

        using MinidumpFile dump = MinidumpFile.FromBytes(StrippedMinidump.Of(scene.Process.ToMinidump(), WritableData));
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, "small", new WindowsReadOptions { SymbolPath = $"srv*{_folder.FullName}" });
        Assert.DoesNotContain(snapshot.Threads.SelectMany(t => t.Stack.Frames), f => f.Function is not null);
    }

    private static IReadOnlyList<Verdict> Verdicts(byte[] bytes, string? symbolPath)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
        return HangAnalysis.Run(WindowsSnapshotReader.Read(dump, "small", new WindowsReadOptions { SymbolPath = symbolPath })).Verdicts;
    }

    private void Store(string store, string name, byte[] image)
    {
        string plain = Path.Combine(_folder.FullName, "image");
        File.WriteAllBytes(plain, image);
        PeFileIdentity id = PeFileIdentity.Read(plain)!.Value;
        string key = string.Create(CultureInfo.InvariantCulture, $"{id.TimeDateStamp:X8}{id.SizeOfImage:x}");
        string root = store == "two-tier" ? Path.Combine(_folder.FullName, name[..2]) : _folder.FullName;
        string folder = Directory.CreateDirectory(Path.Combine(root, name, key)).FullName;
        if (store == "two-tier")
        {
            File.WriteAllText(Path.Combine(_folder.FullName, "index2.txt"), "");
        }

        File.WriteAllBytes(
            Path.Combine(folder, store == "compressed" ? name[..^1] + "_" : name), store == "compressed" ? CabinetFile.MakePacked(name, image) : image);
    }
}
