namespace Dump.Testing.Synthetic;

/// <summary>A thread of a <see cref="FakeProcess"/>.</summary>
/// <param name="Id">Thread id.</param>
/// <param name="Frames">The functions on its stack, innermost first.</param>
/// <param name="FirstArgument">RCX of its system call.</param>
/// <param name="IsLoadOwner">Whether its TEB has the LoadOwner flag.</param>
/// <param name="ProcessorSeconds">Processor time in seconds.</param>
public sealed record FakeThread(uint Id, IReadOnlyList<FakeFunction> Frames, ulong FirstArgument = 0, bool IsLoadOwner = false, double ProcessorSeconds = 0);
