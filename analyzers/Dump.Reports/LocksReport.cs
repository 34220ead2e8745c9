using System.Globalization;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>The locks of a process as text.</summary>
public static class LocksReport
{
    private const int MostWaiters = 8;

    /// <summary>Writes them for people.</summary>
    public static void Write(LockDocument document, TextWriter output, TextStyle style)
    {
        ThreadNames threads = new(document);
        SourceHead.Write(document, output, style);
        output.WriteLine(Summary(document));
        foreach (HeldLock held in document.Locks)
        {
            output.WriteLine();
            Write(held, threads, output, style);
        }

        FactsFooter.Write(document, output, style);
    }

    private static string Summary(LockDocument document)
    {
        if (document.Locks.IsEmpty)
        {
            return !document.UnknownThreads.IsEmpty ? "No lock was found, but not every thread could be looked at."
                : !document.Missing.IsEmpty ? "No lock was found, but not everything could be read: see below."
                : "No thread holds a lock or waits for one, as far as locks store it.";
        }

        int contended = document.Locks.Count(l => !l.Waiters.IsEmpty);
        int waiting = document.Locks.SelectMany(l => l.Waiters).Distinct().Count();
        string waiters = $"{CountText.Of(waiting, "thread")} {(waiting == 1 ? "waits" : "wait")}";
        string free = document.Locks.Length == contended ? ""
            : string.Create(CultureInfo.InvariantCulture, $"; {document.Locks.Length - contended} more held without a waiter");
        return $"{waiters} for {CountText.Of(contended, "lock")}{free}.";
    }

    private static void Write(HeldLock held, ThreadNames threads, TextWriter output, TextStyle style)
    {
        string count = held.Waiters.IsEmpty ? "nobody waits" : $"{CountText.Of(held.Waiters.Length, "thread")} {(held.Waiters.Length == 1 ? "waits" : "wait")}";
        output.WriteLine(style.Heading($"{held.Text}: {count}"));
        foreach (LockHolder holder in held.Holders)
        {
            output.WriteLine($"  {OwnerWords.HeldBy(held.Resource.Kind, holder.Grade)} {Holder(holder, threads)} {style.Faint($"[{holder.Grade}]")}");
        }

        if (held.Holders.IsEmpty)
        {
            output.WriteLine($"  {held.Resource.Facts.WithoutOwner ?? "owner unknown"}");
        }

        if (!held.Waiters.IsEmpty)
        {
            string timed = held.TimedWaiters == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $" ({held.TimedWaiters} with a time limit)");
            output.WriteLine($"  waiting{timed}: {threads.Some(held.Waiters, MostWaiters)}");
        }
    }

    private static string Holder(LockHolder holder, ThreadNames threads)
    {
        string who = holder.Description ?? threads.Full(holder.ThreadId);
        string entered = holder.RecursionCount is { } count and > 1 ? string.Create(CultureInfo.InvariantCulture, $", entered {count} times") : "";
        string does = holder.Description is not null ? "" : holder.IsAlive == false ? "; this thread has ended" : $"; it {holder.Does}";
        string earlier = holder.HeldSecondsEarlier is { } seconds ? string.Create(CultureInfo.InvariantCulture, $"; it held it {seconds} s earlier too") : "";
        return $"{who}{entered}{does}{earlier}";
    }
}
