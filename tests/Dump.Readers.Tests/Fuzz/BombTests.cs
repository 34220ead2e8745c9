using Dump.Fuzz.Bombs;
using Dump.Fuzz.Shipped;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;

namespace Dump.Readers.Tests.Fuzz;

/// <summary>Small files whose tables describe much work: the budget of an analysis counts that work.</summary>
public sealed class BombTests
{
    /// <summary>1,500,000 symbols whose names are all the same 4,000 bytes.</summary>
    [Fact]
    public void Long_names_are_counted_by_their_length()
    {
        using ProgramFiles files = new();
        files.Clear();
        WorkBudget.Begin();
        using ElfCoreFile core = ElfCoreFile.Open(files.Write(Bomb.Symbols(0, new Random(1), 1, 40_000, 10, 4_000), 0));
        Assert.Contains(LinuxSnapshotReader.Read(core, "bomb", imageDirectories: [files.Options[1]]).Problems,
            p => p.Message.StartsWith("these files cost more than their size allows", StringComparison.Ordinal));
    }

    /// <summary>A chain of a hash table of 2,000,000 words is read in pieces: one read for each took the shipped program 30 s for 300 images.</summary>
    [Fact]
    public void A_long_chain_of_a_hash_table_is_read_in_pieces()
    {
        using ProgramFiles files = new();
        files.Clear();
        using ElfCoreFile core = ElfCoreFile.Open(files.Write(Bomb.SharedChains(0, new Random(1), 1, 2_000_000), 0));
        CountingMemory memory = new(core);
        using ElfImage? image = ElfImage.Read(memory, BombCore.FirstImage, _ => null);
        Assert.NotNull(image?.DynamicTables);
        _ = ElfSymbols.Read(image);
        Assert.InRange(memory.Reads, 1_000, 100_000);
    }

    private sealed class CountingMemory(IMemory memory) : IMemory
    {
        public int Reads { get; private set; }

        public int Read(ulong address, Span<byte> destination)
        {
            Reads++;
            return memory.Read(address, destination);
        }
    }
}
