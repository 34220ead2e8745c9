namespace Dump.Clr.Collections;

/// <summary>Steps that all checks of a scan may take together. Safe for concurrent use.</summary>
internal sealed class StepBudget(long steps)
{
    private long _left = steps;

    /// <summary>Takes some.</summary>
    /// <exception cref="MissingMemoryException">None are left.</exception>
    public void Take(int steps)
    {
        if (Interlocked.Add(ref _left, -steps) < 0)
        {
            throw new MissingMemoryException("the collections have more entries together than the heap can hold");
        }
    }
}
