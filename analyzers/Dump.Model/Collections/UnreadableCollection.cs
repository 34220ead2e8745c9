namespace Dump.Model.Collections;

/// <summary>A collection that could not be checked.</summary>
/// <param name="Address">Address of the object.</param>
/// <param name="Type">Full type name (sanitised).</param>
/// <param name="Reason">Why, in words.</param>
public sealed record UnreadableCollection(ulong Address, string Type, string Reason);
