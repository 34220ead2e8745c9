using Dump.Analysis;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Linux;

/// <summary>Cores that were written for a signal: what is told of it.</summary>
public sealed class CrashSignalTests : IDisposable
{
    private const int SegmentationFault = 11;
    private const int NotMapped = 1;
    private const int SentByKernel = 128;
    private const int Ip = 16;
    private readonly string _path = Path.GetTempFileName();

    [Theory]
    [InlineData(NotMapped, 0x18UL, "Thread 0 (0x1267) got SIGSEGV (access violation): it accessed 0x18.")]
    [InlineData(SentByKernel, null, "Thread 0 (0x1267) got SIGSEGV (access violation): the kernel tells no address, as for one that no memory can have.")]
    public void Address_is_told_where_the_kernel_gives_one(int code, ulong? address, string words)
    {
        ProcessSnapshot snapshot = Read([.. FakeElfCore.Thread(4711, (Ip, 0x7000)), .. Signal(SegmentationFault, code, address ?? 0)]);
        Assert.Equal(address, snapshot.Exception!.AccessedAddress);
        Verdict verdict = Assert.Single(HangAnalysis.Run(snapshot).Verdicts);
        Assert.Equal(("DUMP8001", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(words, verdict.Claims[0].Text);
    }

    public void Dispose() => File.Delete(_path);

    /// <summary>The note on the signal (NT_SIGINFO): number, errno, code, and address.</summary>
    private static byte[] Signal(int number, int code, ulong address) =>
        FakeElfCore.Note(0x53494749, new ByteWriter().UInt32(number).UInt32(0).UInt32(unchecked((uint)code)).UInt32(0).UInt64(address).PadTo(128).ToArray());

    private ProcessSnapshot Read(byte[] notes)
    {
        File.WriteAllBytes(_path, FakeElfCore.Of(notes));
        using ElfCoreFile core = ElfCoreFile.Open(_path);
        return LinuxSnapshotReader.Read(core, "synthetic");
    }
}
