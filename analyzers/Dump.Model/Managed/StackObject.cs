namespace Dump.Model.Managed;

/// <summary>A reference from a thread's stack or registers to a managed object, as the runtime reports it.</summary>
/// <param name="Address">Address of the object.</param>
/// <param name="Type">Full type name (sanitised).</param>
/// <param name="Text">Content of a string (sanitised, cut), else null.</param>
/// <param name="Place">Address of the stack slot, or null for a register.</param>
/// <param name="Register">Name of the register, or null for a stack slot.</param>
/// <param name="Frame">The method whose frame holds it, or null when it is held by the runtime itself.</param>
public sealed record StackObject(ulong Address, string Type, string? Text, ulong? Place, string? Register, string? Frame);
