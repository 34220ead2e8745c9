using Dump.Fuzz.Inputs;
using Dump.Fuzz.Shipped;
using Dump.Fuzz.Targets;

namespace Dump.Fuzz.Kinds;

/// <summary>Damaged Windows minidumps: of real hangs, and made by hand with every stream.</summary>
internal sealed class MinidumpKind() : ProgramKind("minidump", together: 200)
{
    private readonly Sample[] _dumps = [.. MinidumpTarget.Dumps.Select(d => Sample.OfMinidump(d, MinidumpTarget.Bytes(d)))];

    /// <inheritdoc/>
    public override ProgramInput Make(Random random, long number) => new(ByteMutator.Damage(_dumps, random), IsCore: false);
}
