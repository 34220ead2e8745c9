using System.Buffers.Binary;
using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;
using Dump.Fuzz.Targets;
using Xunit.Abstractions;

namespace Dump.Readers.Tests.Fuzz;

/// <summary>
/// Damaged input: no exception but the documented one, no allocation beyond bounds, no endless walk, no harmful output. Each case is named and the same in
/// every run.
/// </summary>
public sealed class FuzzTests(ITestOutputHelper output)
{
    private const int QuickSeeds = 8;
    private const int Seeds = 120;
    private const int FlipsPerSeed = 64;

    public static TheoryData<string> Dumps => new([.. MinidumpTarget.Dumps]);

    [Theory]
    [MemberData(nameof(Dumps))]
    public void Undamaged_dumps_stay_within_the_bounds(string name)
    {
        byte[] bytes = Bytes(name);
        Check(peaks => DamageCheck.Run($"{name}, undamaged", bytes, peaks));
    }

    [Theory]
    [MemberData(nameof(Dumps))]
    public void Files_cut_at_any_structure_never_escape(string name)
    {
        byte[] bytes = Bytes(name);
        Check(peaks =>
        {
            foreach (int length in new DumpMap(bytes).Boundaries)
            {
                DamageCheck.Run($"{name}, cut at {length}", bytes[..length], peaks);
            }
        });
    }

    [Theory]
    [MemberData(nameof(Dumps))]
    public void Inflated_counts_never_escape(string name)
    {
        byte[] bytes = Bytes(name);
        Check(peaks =>
        {
            foreach (int place in new DumpMap(bytes).Counts)
            {
                uint count = BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(place));
                foreach (uint value in (ReadOnlySpan<uint>)[int.MaxValue, uint.MaxValue, count + 1])
                {
                    byte[] damaged = [.. bytes];
                    BinaryPrimitives.WriteUInt32LittleEndian(damaged.AsSpan(place), value);
                    DamageCheck.Run($"{name}, 0x{value:x} at {place}", damaged, peaks);
                }
            }
        });
    }

    [Theory]
    [MemberData(nameof(Dumps))]
    public void Flipped_bits_never_escape(string name) => FlipBits(name, 0, QuickSeeds);

    [Theory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(Dumps))]
    public void More_flipped_bits_never_escape(string name) => FlipBits(name, QuickSeeds, Seeds);

    [Theory]
    [MemberData(nameof(Dumps))]
    public void Flipped_bits_with_inflated_lists_never_escape(string name) => FlipBitsAndCounts(name, 0, QuickSeeds);

    [Theory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(Dumps))]
    public void More_flipped_bits_with_inflated_lists_never_escape(string name) => FlipBitsAndCounts(name, QuickSeeds, Seeds);

    private void FlipBits(string name, int from, int to)
    {
        byte[] bytes = Bytes(name);
        Check(peaks =>
        {
            for (int seed = from; seed < to; seed++)
            {
                byte[] damaged = [.. bytes];
                Flip(damaged, seed);
                DamageCheck.Run($"{name}, bits flipped by seed {seed}", damaged, peaks);
            }
        });
    }

    private void FlipBitsAndCounts(string name, int from, int to)
    {
        byte[] bytes = Bytes(name);
        int[] counts = [.. new DumpMap(bytes).Counts];
        Check(peaks =>
        {
            for (int seed = from; seed < to; seed++)
            {
                byte[] damaged = [.. bytes];
                Random random = new(seed);
                for (int i = 0; i < 4; i++)
                {
                    BinaryPrimitives.WriteUInt32LittleEndian(damaged.AsSpan(counts[random.Next(counts.Length)]),
                        (uint)random.NextInt64(0, 1L << random.Next(33)));
                }

                Flip(damaged, seed);
                DamageCheck.Run($"{name}, counts and bits changed by seed {seed}", damaged, peaks);
            }
        });
    }

    private static byte[] Bytes(string name) => MinidumpTarget.Bytes(name);

    /// <summary>Half of the flips go into the first 4 KB, where most counts and offsets stand; the signature stays.</summary>
    private static void Flip(byte[] bytes, int seed)
    {
        Random random = new(seed);
        for (int i = 0; i < FlipsPerSeed; i++)
        {
            int at = random.Next(4, i % 2 == 0 ? bytes.Length : Math.Min(bytes.Length, 4096));
            bytes[at] ^= (byte)(1 << random.Next(8));
        }
    }

    private void Check(Action<Peaks> cases)
    {
        Peaks peaks = new();
        try
        {
            cases(peaks);
        }
        finally
        {
            output.WriteLine(peaks.ToString());
        }

        Assert.NotEqual(0, peaks.Count);
    }
}
