using Dump.Fuzz.Running;
using Dump.Fuzz.Targets;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Symbols;

/// <summary>Damaged PDB files: symbols or a reason, no exception, no allocation beyond bounds, no endless walk.</summary>
public sealed class PdbDamageTests
{
    private const int Header = 56;
    private static readonly PdbTarget s_target = new();
    private static readonly byte[] s_sound = PdbFileTests.Sample().ToArray();

    public static TheoryData<int> Lengths => [.. Enumerable.Range(0, s_sound.Length / 512).Select(i => i * 512)];

    public static TheoryData<int> Seeds => [.. Enumerable.Range(0, 300)];

    [Theory]
    [MemberData(nameof(Lengths))]
    public void Truncated_files_are_refused(int length) => Assert.NotNull(Read(s_sound[..length]));

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Flipped_bits_give_symbols_or_a_reason(int seed)
    {
        byte[] bytes = [.. s_sound];
        Random random = new(seed);
        for (int i = 0; i < 1 + (seed % 16); i++)
        {
            // The header is spared in two of three files: a damaged one ends the reading before anything else is reached.
            bytes[random.Next(seed % 3 == 0 ? 0 : Header, bytes.Length)] ^= (byte)(1 << random.Next(8));
        }

        Read(bytes);
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Wild_numbers_give_symbols_or_a_reason(int seed)
    {
        byte[] bytes = [.. s_sound];
        Random random = new(seed);
        for (int i = 0; i < 4; i++)
        {
            int block = random.Next(3, bytes.Length / 512) * 512;
            uint value = ((uint[])[uint.MaxValue, int.MaxValue, 0x10000, 0, (uint)random.Next(64)])[random.Next(5)];
            BitConverter.GetBytes(value).CopyTo(bytes, block + (random.Next(32) * 4));
        }

        Read(bytes);
    }

    [Fact]
    public void Any_byte_may_be_wrong()
    {
        byte[] bytes = [.. s_sound];
        for (int i = 0; i < bytes.Length; i++)
        {
            foreach (byte value in (byte[])[0, (byte)(s_sound[i] ^ 2), 0xFF])
            {
                bytes[i] = value;
                Read(bytes);
            }

            bytes[i] = s_sound[i];
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(4)]
    [InlineData(8)]
    public void Records_shorter_than_their_fields_are_refused(int length)
    {
        byte[] content = new byte[length];
        Assert.Contains("records", Read(PdbFileTests.Sample().Other(0x110E, content).ToArray()), StringComparison.Ordinal);
        Assert.Contains("records", Read(PdbFileTests.Sample().OtherInModule(0x1110, content).ToArray()), StringComparison.Ordinal);
        Assert.Contains("records", Read(PdbFileTests.Sample().OtherInModule(0x1146, new byte[32]).ToArray()), StringComparison.Ordinal);
    }

    [Fact]
    public void Records_without_a_kind_are_refused()
    {
        Assert.Null(Read(PdbFileTests.Sample().Raw(2, 0, 0, 0).ToArray()));
        Assert.Contains("records", Read(PdbFileTests.Sample().Raw(0, 0).ToArray()), StringComparison.Ordinal);
        Assert.Contains("records", Read(PdbFileTests.Sample().Raw(1, 0, 0).ToArray()), StringComparison.Ordinal);
    }

    [Fact]
    public void Streams_that_share_blocks_cannot_be_larger_than_the_file()
    {
        Assert.Null(Read(new FakePdb { SharedBlocks = 1 }.Section(0x1000, 0x1000, FakePdb.Code).ToArray()));
        Assert.Contains("larger than the file", Read(new FakePdb { SharedBlocks = 100 }.Section(0x1000, 0x1000, FakePdb.Code).ToArray()),
            StringComparison.Ordinal);
    }

    /// <summary>Why a file is refused; null when it is read.</summary>
    private static string? Read(byte[] bytes)
    {
        Execution execution = Execution.Of(s_target, bytes);
        Assert.Null(execution.Failure);
        return execution.Outcome!.EndsWith(PdbTarget.Named, StringComparison.Ordinal) ? null : execution.Outcome;
    }
}
