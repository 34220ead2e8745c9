using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.UserInterface;

/// <summary>
/// Whose windows threads send messages to. No user dump records that, but a loop takes messages only for windows of its own thread (Microsoft Learn,
/// "GetMessage function"), so that a message which a loop is handling tells whose its window is.
/// </summary>
internal static class WindowOwners
{
    /// <summary>
    /// Who must come back to its loop before a sent message is handled: an ownership for each window that
    /// someone sends to and whose thread does not take sent messages where it is.
    /// </summary>
    public static ImmutableArray<OwnershipFact> Find(ProcessSnapshot snapshot, ImmutableArray<UiThread> threads)
    {
        HashSet<Resource> wanted = [.. snapshot.Waits.Where(w => w.Resource is { Kind: ResourceKind.WindowMessage, Identity: not 0 }).Select(w => w.Resource)];
        ILookup<Resource, UiThread> owners = threads.SelectMany(t => WindowsOf(t).Where(wanted.Contains).Select(w => (Window: w, Thread: t)))
            .ToLookup(x => x.Window, x => x.Thread);
        HashSet<uint> sending = [.. snapshot.Waits.Where(w => w.Resource.Kind == ResourceKind.WindowMessage).Select(w => w.ThreadId)];
        return
        [
            .. from window in owners
               from thread in window
               where thread.State == UiThreadState.Handling && thread.ComWait is not { TakesSentMessages: true } && !sending.Contains(thread.Thread.Id)
               select Ownership(window.Key, thread, isOnly: window.Count() == 1),
        ];
    }

    /// <summary>True when the thread's loops are handling a message for the window, which is the thread's own therefore.</summary>
    public static bool Owns(UiThread thread, ulong window) => WindowsOf(thread).Contains(new Resource(ResourceKind.WindowMessage, window));

    private static IEnumerable<Resource> WindowsOf(UiThread thread) =>
        thread.Thread.Messages.Select(m => new Resource(ResourceKind.WindowMessage, m.Window)).Distinct();

    /// <summary>A window belongs to one thread; where two seem to have it, a handle of at least one is wrong.</summary>
    private static OwnershipFact Ownership(Resource window, UiThread thread, bool isOnly)
    {
        DispatchedMessage message = thread.Thread.Messages.First(m => m.Window == window.Identity);
        Grade grade = !isOnly || thread.Grade == Grade.Suspected ? Grade.Suspected : message.Grade;
        return new OwnershipFact(window, thread.Thread.Id, true, null, grade, message.Evidence);
    }
}
