namespace Dump.Testing.Renaming;

/// <summary>How far a process is renamed.</summary>
public enum RenamingManner
{
    /// <summary>Threads change their places in the list; ids and addresses stay.</summary>
    Order,

    /// <summary>Ids and addresses change too, but what was smaller stays smaller.</summary>
    Monotone,

    /// <summary>Ids, modules and stacks get any other numbers.</summary>
    Arbitrary,
}
