namespace Dump.Fuzz.Shipped;

/// <summary>A kind of input for the shipped program.</summary>
/// <param name="name">Its name on the command line.</param>
/// <param name="together">How many inputs one start of the program gets; 1 for each its own.</param>
internal abstract class ProgramKind(string name, int together)
{
    /// <summary>Its name on the command line.</summary>
    public string Name => name;

    /// <summary>How many inputs one start of the program gets.</summary>
    public int Together => together;

    /// <summary>Options of the program besides those that name files.</summary>
    public virtual IReadOnlyList<string> Options => [];

    /// <summary>Makes an input; the same numbers make the same one.</summary>
    /// <param name="random">Decides everything.</param>
    /// <param name="number">Its number, which tells its paths from those of others.</param>
    public abstract ProgramInput Make(Random random, long number);

    /// <summary>Its name, and what there is to say of its samples.</summary>
    public override string ToString() => Name;
}
