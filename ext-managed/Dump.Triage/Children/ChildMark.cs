namespace Dump.Triage.Children;

/// <summary>What a process of this program tells another one that it starts, as the first word of its command line.</summary>
public sealed record ChildMark
{
    private const string Prefix = "child:";
    private const char Separator = ',';
    private const string Guarded = "guarded", Careful = "careful", Withheld = "withheld";

    /// <summary>True when another process watches over this one, which so starts none for that itself.</summary>
    public bool IsGuarded { get; init; }

    /// <summary>True after a crash of the data-access library: what is known to crash it is not to be asked.</summary>
    public bool IsCareful { get; init; }

    /// <summary>True to leave out of answers what strings of the dumped process say.</summary>
    public bool WithholdsStrings { get; init; }

    /// <summary>A command line for such a process.</summary>
    /// <param name="arguments">What follows.</param>
    public IEnumerable<string> Before(IEnumerable<string> arguments)
    {
        string[] words = [.. Words()];
        return words.Length == 0 ? arguments : arguments.Prepend(Prefix + string.Join(Separator, words));
    }

    /// <summary>Takes it from the beginning of a command line; one without it, and one that begins with something like it, stays as it is.</summary>
    /// <param name="arguments">The command line; afterwards without it.</param>
    public static ChildMark Take(ref string[] arguments)
    {
        string[] words = arguments is [var first, ..] && first.StartsWith(Prefix, StringComparison.Ordinal) ? first[Prefix.Length..].Split(Separator) : [];
        if (words.Length == 0 || words.Any(w => w is not (Guarded or Careful or Withheld)))
        {
            return new ChildMark();
        }

        arguments = arguments[1..];
        return new ChildMark { IsGuarded = words.Contains(Guarded), IsCareful = words.Contains(Careful), WithholdsStrings = words.Contains(Withheld) };
    }

    private IEnumerable<string> Words()
    {
        if (IsGuarded)
        {
            yield return Guarded;
        }

        if (IsCareful)
        {
            yield return Careful;
        }

        if (WithholdsStrings)
        {
            yield return Withheld;
        }
    }
}
