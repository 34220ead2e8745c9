using Dump.Model.Merging;
using Dump.Testing.Synthetic;
using Dump.Triage.Records;

namespace Dump.Triage.Tests.Archives;

/// <summary>Cabinets in folders: their dumps are found and analysed, and what cannot be is said in one line.</summary>
public sealed class CabinetTests : IDisposable
{
    private const ushort Lzx = 0x1503;
    private readonly TriageFolder _folder = new();
    private readonly byte[] _dump = TriageFolder.PretendBytes(1, 150_000);

    [SkippableFact]
    public void Dumps_in_stored_and_packed_cabinets_are_found_by_their_names()
    {
        RequireLinux();
        File.WriteAllBytes(_folder.At("report.cab"),
            CabinetFile.Make([("report.txt", new byte[70_000]), ("memory.dmp", _dump), ("second.hdmp", TriageFolder.PretendBytes(2, 90_000))]));
        File.WriteAllBytes(_folder.At("packed.cab"), CabinetFile.MakePacked("third.dmp", TriageFolder.PretendBytes(3, 90_000)));
        File.WriteAllBytes(_folder.At("same.dmp"), _dump);
        TriageRecords records = _folder.Run(TriageFolder.FindsNothing);
        Assert.Empty(_folder.Summary!.Warnings);
        Assert.Equal(["packed.cab!third.dmp", "report.cab!memory.dmp", "report.cab!second.hdmp"], records.Records.Select(r => r.Source.Text));
        Assert.All(records.Records, r => Assert.Equal(TriageOutcome.Analysed, r.Outcome));
        Assert.Equal(1, _folder.Summary.Copies);
    }

    [SkippableFact]
    public void What_cannot_be_opened_is_one_line()
    {
        RequireLinux();
        File.WriteAllBytes(_folder.At("lzx.cab"), CabinetFile.Make([("a.dmp", _dump), ("b.dmp", _dump)], null, Lzx, [(_dump[..500], 500)]));
        File.WriteAllBytes(_folder.At("cut.cab"), CabinetFile.Make([("a.dmp", _dump)])[..30]);
        Assert.Empty(_folder.Run(TriageFolder.FindsNothing).Records);
        Assert.Equal(
            ["cut.cab: it is cut off; copy it again", "lzx.cab: it is compressed by LZX, which is unpacked on Windows only; unpack it first: cabextract lzx.cab"],
            _folder.Summary!.Warnings.Select(w => $"{w.Path}: {w.Message}").Order(StringComparer.Ordinal));
    }

    [SkippableFact]
    public void Damaged_dump_is_a_record_and_no_verdict()
    {
        RequireLinux();
        File.WriteAllBytes(_folder.At("short.cab"), CabinetFile.Make([("a.dmp", _dump)], claimed: 1 << 20));
        TriageRecord record = Assert.Single(_folder.Run(TriageFolder.FindsNothing).Records);
        Assert.Equal(("it is damaged: it unpacks to 150,000 bytes instead of 1,048,576; copy or compress it again", TriageOutcome.Refused),
            (record.Reason, record.Outcome));
    }

    public void Dispose() => _folder.Dispose();

    private static void RequireLinux() => Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
}
