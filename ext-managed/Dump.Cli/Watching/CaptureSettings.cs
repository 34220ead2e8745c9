using System.Collections.Immutable;

namespace Dump.Cli.Watching;

/// <summary>How a process is captured.</summary>
/// <param name="Between">Time between the two looks.</param>
/// <param name="Arguments">Options of the program that each of them gets.</param>
/// <param name="LookArguments">Options that the looks get besides.</param>
/// <param name="Kept">Told the folder of each capture that was kept.</param>
internal sealed record CaptureSettings(TimeSpan Between, ImmutableArray<string> Arguments, ImmutableArray<string> LookArguments, Action<string> Kept);
