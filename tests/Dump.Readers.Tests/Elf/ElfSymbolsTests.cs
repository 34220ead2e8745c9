using Dump.Fuzz.Inputs;
using Dump.Fuzz.Running;
using Dump.Fuzz.Targets;

namespace Dump.Readers.Tests.Elf;

/// <summary>Symbols of damaged images.</summary>
public sealed class ElfSymbolsTests
{
    private const long MostBytes = 1 << 20;

    /// <summary>A small file that says it has millions of buckets takes no memory for them: a core may map hundreds of such files.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(0x3F_FFFF)]
    [InlineData(0x40_0000)]
    public void A_hash_table_is_not_believed_before_it_is_there(int buckets)
    {
        byte[] library = ElfSamples.Library();
        BitConverter.GetBytes(buckets).CopyTo(library, ElfSamples.Hash);
        Execution execution = Execution.Of(new ElfImageTarget(), library);
        Assert.Null(execution.Failure);
        Assert.InRange(execution.Allocated, 0, MostBytes);
    }

    [Fact]
    public void Sound_library_has_functions_frames_and_exports() =>
        Assert.Equal("id 3 True True 6 6 True 1 0", Execution.Of(new ElfImageTarget(), ElfSamples.Library()).Outcome);
}
