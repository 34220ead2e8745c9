namespace Dump.Model.Managed;

/// <summary>A field of an object.</summary>
/// <param name="Name">Name (sanitised).</param>
/// <param name="Type">Type name (sanitised).</param>
/// <param name="Value">Value in words (sanitised, cut), or null when its memory is not in the dump.</param>
public sealed record ObjectField(string Name, string Type, string? Value);
