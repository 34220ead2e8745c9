namespace Dump.Model.Managed;

/// <summary>An await of an async method.</summary>
/// <param name="Code">The method that the compiler made of it.</param>
/// <param name="State">Number of the await, as compilers count them from 0.</param>
public sealed record AwaitPlace(MethodPlace Code, int State);
