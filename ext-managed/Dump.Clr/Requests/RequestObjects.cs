using System.Collections.Immutable;
using Dump.Clr.Frames;
using Dump.Clr.Tasks;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Requests;

/// <summary>Reads fields of the objects of requests: what is damaged counts as unknown, and every text is cleaned.</summary>
/// <param name="withValues">True to read strings of users as well.</param>
/// <param name="onFault">Called for each object on which the data-access library fails; null where nobody asks.</param>
internal sealed class RequestObjects(bool withValues, Action? onFault)
{
    /// <summary>Most requests of a kind that are listed.</summary>
    public const int MostRequests = 100_000;

    /// <summary>Most async methods of a library that are looked at.</summary>
    public const int MostMethods = 1_000_000;

    private const int LongestName = 256;
    private const int LongestValue = 4_096;

    /// <summary>How many objects the library failed on.</summary>
    public long Unreadable { get; private set; }

    /// <summary>True when strings of users are read.</summary>
    public bool WithValues => withValues;

    /// <summary>Reads an object; null where that fails.</summary>
    /// <typeparam name="T">What is read.</typeparam>
    /// <param name="read">Reads it.</param>
    public T? Unless<T>(Func<T?> read)
    {
        try
        {
            return read();
        }
        catch (Exception error) when (error is not (OutOfMemoryException or OperationCanceledException))
        {
            // The library documents no exceptions for damaged dumps; all else that was read stands.
            onFault?.Invoke();
            Unreadable++;
            return default;
        }
    }

    /// <summary>True when an object is known not to have all of some fields.</summary>
    public bool Lacks(ClrObject target, ImmutableArray<string> fields) => Unless(() => (bool?)fields.Any(f => target.Type?.GetFieldByName(f) is null)) == true;

    /// <summary>True for an object of a class, or of one that derives from it.</summary>
    public bool Is(ClrObject target, string type) => Unless(() => (bool?)(target.Type is { } known && TaskTypes.DerivesFrom(known, type))) == true;

    /// <summary>The object that a thread executes by each of some threads: the only one of its kind that the thread's stack has.</summary>
    /// <param name="threads">Threads with a frame of it.</param>
    /// <param name="candidates">The objects on a thread's stack.</param>
    /// <param name="isExecuted">True for one of its kind that is in progress.</param>
    public Dictionary<ulong, uint> Executed(
        IEnumerable<ManagedThread> threads, Func<ManagedThread, IEnumerable<ClrObject>> candidates, Func<ClrObject, bool> isExecuted)
    {
        Dictionary<ulong, uint> executed = [];
        foreach (ManagedThread thread in threads)
        {
            if (candidates(thread).DistinctBy(o => o.Address).Where(o => Unless(() => (bool?)isExecuted(o)) == true).Take(2).ToArray() is [var only])
            {
                executed.TryAdd(only.Address, thread.Id);
            }
        }

        return executed;
    }

    /// <summary>The object that a field refers to, over several fields one after the other; null where one of them is missing or refers to none.</summary>
    public static ClrObject? Follow(ClrObject target, params ReadOnlySpan<string> fields)
    {
        ClrObject at = target;
        foreach (string field in fields)
        {
            if (!at.TryReadObjectField(field, out ClrObject next) || next is not { IsNull: false, IsValid: true })
            {
                return null;
            }

            at = next;
        }

        return at;
    }

    /// <summary>A text of the program's own or of the library's, or null.</summary>
    public static string? Name(ClrObject target, string field) => Text(target, field, LongestName);

    /// <summary>A string of a user; null unless those were asked for.</summary>
    public string? Value(ClrObject target, string field) => withValues ? Text(target, field, LongestValue) : null;

    /// <summary>A text that is not shown as it is, not cleaned; null where there is none.</summary>
    public static string? Raw(ClrObject target, string field) =>
        target.TryReadStringField(field, LongestValue, out string? text) && text is { Length: > 0 } ? text : null;

    private static string? Text(ClrObject target, string field, int longest) =>
        target.TryReadStringField(field, longest + 1, out string? text) && text is { Length: > 0 } ? SafeText.Clean(text, longest) : null;
}
