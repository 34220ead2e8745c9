using System.Buffers.Binary;

namespace Dump.Fuzz.Targets;

/// <summary>A reader whose inputs are more than one file: an input is a number, of which everything is made.</summary>
internal abstract class SeededTarget(string name, string what) : FuzzTarget(name, what)
{
    /// <inheritdoc/>
    public sealed override byte[] Input(Random random) => Input(random.Next());

    /// <inheritdoc/>
    public sealed override string Execute(byte[] input) => Execute(new Random(input.Length < sizeof(int) ? 0 : BinaryPrimitives.ReadInt32LittleEndian(input)));

    /// <summary>The input of a number.</summary>
    public static byte[] Input(int number) => BitConverter.GetBytes(number);

    /// <summary>Makes an input and reads it.</summary>
    protected abstract string Execute(Random random);
}
