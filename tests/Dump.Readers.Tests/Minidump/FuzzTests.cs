using System.Buffers.Binary;
using System.Text;
using Dump.Analysis;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Reports;
using Dump.Testing.Fixtures;

namespace Dump.Readers.Tests.Minidump;

/// <summary>Damaged input: no exception but the documented one, no allocation beyond bounds, no endless walk.</summary>
public sealed class FuzzTests
{
    private const long MaximumAllocation = 256L << 20;
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(10);

    public static TheoryData<string, int> Cases
    {
        get
        {
            TheoryData<string, int> cases = [];
            foreach (string name in (string[])["loader-exit", "cs-cycle3", "loader-exit-stacks-only"])
            {
                for (int seed = 0; seed < 40; seed++)
                {
                    cases.Add(name, seed);
                }
            }

            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Flipped_bits_never_escape(string name, int seed)
    {
        byte[] bytes = File.ReadAllBytes(Fixture.Named(name).Path);
        Random random = new(seed);
        for (int i = 0; i < 64; i++)
        {
            // Half of the flips go into the directory and stream headers, where counts and offsets stand.
            int at = random.Next(i % 2 == 0 ? bytes.Length : Math.Min(bytes.Length, 4096));
            bytes[at] ^= (byte)(1 << random.Next(8));
        }

        "MDMP"u8.CopyTo(bytes);
        Analyse(bytes);
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Inflated_counts_never_escape(string name, int seed)
    {
        byte[] bytes = File.ReadAllBytes(Fixture.Named(name).Path);
        Random random = new(seed);
        uint directory = BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(12));
        uint count = BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(8));
        for (int i = 0; i < 4; i++)
        {
            int entry = (int)directory + random.Next((int)count) * 12;
            uint stream = BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(entry + 8));
            int at = random.Next(3) == 0 ? entry + 4 : (int)Math.Min(stream + (uint)random.Next(5) * 4, (uint)bytes.Length - 4);
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(at), ((uint[])[uint.MaxValue, int.MaxValue, 0x10000, 0])[random.Next(4)]);
        }

        Analyse(bytes);
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Truncated_files_never_escape(string name, int seed)
    {
        byte[] bytes = File.ReadAllBytes(Fixture.Named(name).Path);
        Analyse(bytes[..new Random(seed).Next(bytes.Length)]);
    }

    private static void Analyse(byte[] bytes)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        System.Diagnostics.Stopwatch clock = System.Diagnostics.Stopwatch.StartNew();
        try
        {
            using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
            MinidumpText.Write(dump, TextWriter.Null);
            Dump.Model.ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, "fuzz");
            Dump.Model.AnalysisResult result = HangAnalysis.Run(snapshot);
            Assert.DoesNotContain(result.Outcomes, o => o.Kind == Dump.Model.DetectorOutcomeKind.Failed);
            using StringWriter text = new(new StringBuilder());
            TextReport.Write(snapshot, result, text, TextStyle.Plain, allStacks: true);
            Assert.DoesNotContain('\u001b', text.ToString());
        }
        catch (InvalidDumpException)
        {
            // The documented answer to input that cannot be analysed.
        }

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, MaximumAllocation);
        Assert.InRange(clock.Elapsed, TimeSpan.Zero, s_limit);
    }
}
