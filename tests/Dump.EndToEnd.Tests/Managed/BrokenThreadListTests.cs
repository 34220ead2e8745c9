using System.Buffers.Binary;
using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;
using Microsoft.Diagnostics.Runtime;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>A real core in which the runtime's list of threads breaks off: the owner of a lock that is behind the break is unknown, not ended.</summary>
[SupportedOSPlatform("linux")]
public sealed class BrokenThreadListTests : IDisposable
{
    private const int RecordSize = 0x800;
    private readonly LinuxLab _lab = new();

    [SkippableTheory]
    [InlineData("rwlock-cycle")]
    [InlineData("lock-cycle")]
    public void Owner_behind_the_break_is_unknown(string scene)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        LabDump dump = _lab.DumpAnew(scene);
        Assert.Equal(["DUMP1002"], Ids(dump.Path).Ids);

        CutBefore(dump.Path, dump.Thread("right"));
        (string[] ids, string report) = Ids(dump.Path);
        Assert.Empty(ids);
        Assert.Contains("the owner of 1 managed lock", report, StringComparison.Ordinal);
        Assert.Contains("1 managed thread (the runtime\\u0027s list of threads breaks off", report.Replace("'", "\\u0027", StringComparison.Ordinal),
            StringComparison.Ordinal);
    }

    public void Dispose() => _lab.Dispose();

    private static (string[] Ids, string Report) Ids(string core)
    {
        (_, JsonElement report) = DumpAnalyze.Json(core);
        return ([.. report.Member("verdicts").EnumerateArray().Select(v => v.Member("id").GetString()!)], report.GetRawText());
    }

    /// <summary>
    /// Clears the link that leads to a thread's record: the word at the same place of several records that points into the next one of the list.
    /// </summary>
    private static void CutBefore(string core, uint thread)
    {
        ulong place;
        using (DataTarget target = DataTarget.LoadDump(core, new DataTargetOptions { SymbolPaths = [] }))
        using (ClrRuntime runtime = target.ClrVersions[0].CreateRuntime())
        {
            ulong[] records = [.. runtime.Threads.Select(t => t.Address)];
            int last = Array.FindIndex(runtime.Threads.ToArray(), t => t.OSThreadId == thread);
            Assert.Equal(records.Length - 1, last);
            int link = Enumerable.Range(0, RecordSize / 8).Select(i => i * 8)
                .First(offset => records.Zip(records.Skip(1)).All(pair => Leads(target.DataReader, pair.First, offset, pair.Second)));
            place = records[last - 1] + (ulong)link;
        }

        using FileStream file = new(core, FileMode.Open, FileAccess.ReadWrite);
        file.Position = FileOffset(file, place);
        file.Write(new byte[8]);
    }

    private static bool Leads(IDataReader memory, ulong record, int offset, ulong next) =>
        memory.ReadPointer(record + (ulong)offset, out ulong value) && value >= next && value - next < RecordSize;

    private static long FileOffset(FileStream file, ulong address)
    {
        byte[] header = new byte[64], segment = new byte[56];
        file.ReadExactly(header);
        long table = BinaryPrimitives.ReadInt64LittleEndian(header.AsSpan(32));
        for (int i = 0; i < BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(56)); i++)
        {
            file.Position = table + (i * segment.Length);
            file.ReadExactly(segment);
            ulong start = BinaryPrimitives.ReadUInt64LittleEndian(segment.AsSpan(16)), size = BinaryPrimitives.ReadUInt64LittleEndian(segment.AsSpan(32));
            if (BinaryPrimitives.ReadUInt32LittleEndian(segment) == 1 && address >= start && address - start < size)
            {
                return BinaryPrimitives.ReadInt64LittleEndian(segment.AsSpan(8)) + (long)(address - start);
            }
        }

        throw new InvalidDataException($"0x{address:x} is not in {file.Name}.");
    }
}
