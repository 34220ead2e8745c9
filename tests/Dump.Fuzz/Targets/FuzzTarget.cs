namespace Dump.Fuzz.Targets;

/// <summary>A reader under fuzz: how its inputs are made, and what must hold when it reads one.</summary>
/// <param name="name">Its name on the command line.</param>
/// <param name="what">What reads, for people.</param>
internal abstract class FuzzTarget(string name, string what)
{
    private const long UsualBase = 2L << 20;
    private const long UsualFactor = 64;

    /// <summary>Its name on the command line.</summary>
    public string Name => name;

    /// <summary>What reads, for people.</summary>
    public string What => what;

    /// <summary>Makes a damaged input; the same numbers make the same one.</summary>
    public abstract byte[] Input(Random random);

    /// <summary>Reads an input.</summary>
    /// <returns>What came of it, in few words: inputs with the same words took the same way, as far as that can be told.</returns>
    /// <exception cref="Oracles.OracleException">Something does not hold that must; so does any other exception say.</exception>
    public abstract string Execute(byte[] input);

    /// <summary>The most bytes that reading may allocate altogether.</summary>
    /// <param name="length">Bytes of the input.</param>
    public virtual long MostAllocated(int length) => UsualBase + UsualFactor * length;
}
