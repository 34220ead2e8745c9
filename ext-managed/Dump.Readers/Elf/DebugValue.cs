namespace Dump.Readers.Elf;

/// <summary>The value of an attribute as its form writes it down: a number, an offset or an index into another section, or a place in the section itself.</summary>
/// <param name="Form">The form.</param>
/// <param name="Number">The number; of a text inside of the section, where it begins there.</param>
internal readonly record struct DebugValue(ulong Form, ulong Number);
