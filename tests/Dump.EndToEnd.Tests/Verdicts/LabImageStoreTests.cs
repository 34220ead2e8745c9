using System.Globalization;
using System.Text.Json;
using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Small dumps of real hangs, without the memory of images, are judged as full ones when a symbol store has the images that the process had loaded.
/// </summary>
public sealed class LabImageStoreTests : IDisposable
{
    private readonly string _store = Directory.CreateTempSubdirectory("dump-store-").FullName;

    public void Dispose() => Directory.Delete(_store, recursive: true);

    [SkippableTheory]
    [InlineData("cs-cycle2", "DUMP1002")]
    [InlineData("shop", "DUMP1002")]
    public void Small_dump_with_its_images_in_a_store_gets_the_verdict_of_the_full_one(string sample, string expected)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump small = WineLab.Shared.Dump(sample, DumpKind.Small);
        (int without, _) = DumpAnalyze.Json(small.Path);
        Assert.Equal(13, without);
        Assert.InRange(Fill(small.Path), 4, int.MaxValue);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(small.Path, "--symbols", $"srv*{_store}");
        VerdictAssert.Is(expected, exitCode, report);
        (int ofFull, JsonElement full) = DumpAnalyze.Json(WineLab.Shared.Dump(sample, DumpKind.Full).Path, "--symbols", $"srv*{_store}");
        Assert.Equal(ofFull, exitCode);
        Assert.Equal(Places(full), Places(report));
    }

    /// <summary>The code to look at, without the threads and addresses of either process.</summary>
    private static string[] Places(JsonElement report) =>
    [
        .. report.Member("verdicts").EnumerateArray().SelectMany(v => v.Member("lookAt").EnumerateArray())
            .Select(p => p.Member("code").GetString()!).Order(StringComparer.Ordinal),
    ];

    /// <summary>Files the images under their time stamps and sizes; returns how many there are.</summary>
    private int Fill(string dump)
    {
        string[] places = [WineLab.SampleDirectory, Path.Combine(WineLab.Prefix, "drive_c", "windows", "system32")];
        using MinidumpFile file = MinidumpFile.Open(dump);
        int count = 0;
        foreach (ModuleSnapshot module in file.Modules)
        {
            if (places.Select(p => Path.Combine(p, module.Name)).FirstOrDefault(File.Exists) is { } image && PeFileIdentity.Read(image) is { } id)
            {
                string key = string.Create(CultureInfo.InvariantCulture, $"{id.TimeDateStamp:X8}{id.SizeOfImage:x}");
                string folder = Directory.CreateDirectory(Path.Combine(_store, module.Name, key)).FullName;
                File.Copy(image, Path.Combine(folder, module.Name));
                count++;
            }
        }

        return count;
    }
}
