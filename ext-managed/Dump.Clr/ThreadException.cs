using System.Collections.Immutable;
using Dump.Model.Process;

namespace Dump.Clr;

/// <summary>The exception that a thread has in flight.</summary>
/// <param name="ThreadId">Operating system id of the thread.</param>
/// <param name="Thrown">The exception object, then those inside of it; never empty.</param>
internal sealed record ThreadException(uint ThreadId, ImmutableArray<ThrownException> Thrown);
