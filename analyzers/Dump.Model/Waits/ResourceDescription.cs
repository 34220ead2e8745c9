namespace Dump.Model.Waits;

/// <summary>What a resource is in the words of those who use it, where its kind alone does not say that.</summary>
/// <param name="Name">What it is, without article and address, for example <c>SemaphoreSlim</c> (sanitised).</param>
/// <param name="State">Its state by its own fields, for example <c>0 free, 3 waiting</c>, or null when it has none or it could not be read.</param>
public sealed record ResourceDescription(string Name, string? State);
