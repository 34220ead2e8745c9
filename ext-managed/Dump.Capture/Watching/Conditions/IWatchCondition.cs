using Dump.Capture.Watching.Looks;

namespace Dump.Capture.Watching.Conditions;

/// <summary>A condition over the looks at one process.</summary>
public interface IWatchCondition
{
    /// <summary>Takes a look, each later than the one before.</summary>
    /// <param name="look">What it told.</param>
    /// <returns>Why the process is to be captured, as a clause; null while the condition does not hold.</returns>
    string? Check(ProcessLook look);
}
