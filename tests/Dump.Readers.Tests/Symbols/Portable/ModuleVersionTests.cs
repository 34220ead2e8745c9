using System.Reflection;
using System.Reflection.PortableExecutable;
using Dump.Readers.Symbols.Portable;

namespace Dump.Readers.Tests.Symbols.Portable;

/// <summary>Id and version of an assembly by its metadata in memory, compared with what the runtime says of this one.</summary>
public sealed class ModuleVersionTests
{
    private const ulong Address = 0x10000;
    private static readonly Assembly s_own = typeof(ModuleVersionTests).Assembly;

    [Fact]
    public void Id_and_version_are_those_of_the_assembly()
    {
        Metadata memory = new();
        Assert.Equal(s_own.ManifestModule.ModuleVersionId, ModuleVersion.InMemory(memory, Address, memory.Length));
        Assert.Equal(s_own.GetName().Version, ModuleVersion.OfAssembly(memory, Address, memory.Length));
    }

    [Theory]
    [InlineData(0UL, 100UL)]
    [InlineData(Address, 0UL)]
    [InlineData(Address, 20UL)]
    [InlineData(Address, ulong.MaxValue)]
    [InlineData(Address + 4, 100UL)]
    public void Metadata_that_are_missing_or_damaged_have_none(ulong address, ulong length)
    {
        Metadata memory = new();
        Assert.Null(ModuleVersion.InMemory(memory, address, length));
        Assert.Null(ModuleVersion.OfAssembly(memory, address, length));
    }

    private sealed class Metadata : IMemory
    {
        private readonly byte[] _bytes;

        public Metadata()
        {
            using PEReader image = new(File.OpenRead(s_own.Location));
            _bytes = [.. image.GetMetadata().GetContent()];
        }

        public ulong Length => (ulong)_bytes.Length;

        public int Read(ulong address, Span<byte> destination)
        {
            if (address < Address || address - Address >= Length)
            {
                return 0;
            }

            ReadOnlySpan<byte> found = _bytes.AsSpan((int)(address - Address));
            int read = Math.Min(found.Length, destination.Length);
            found[..read].CopyTo(destination);
            return read;
        }
    }
}
