using System.Collections.Immutable;

namespace Dump.Model.Process;

/// <summary>A full pipe to which threads of a living process waited to write over the whole look.</summary>
/// <param name="Pipe">The pipe, for example <c>standard output</c> or <c>file descriptor 7</c>.</param>
/// <param name="Threads">Operating system ids of the threads; never empty.</param>
/// <param name="Readers">Processes that can read from it, for example <c>process 4711 (cat)</c>, with their state; empty where none was seen.</param>
public sealed record FullPipe(string Pipe, ImmutableArray<uint> Threads, ImmutableArray<string> Readers);
