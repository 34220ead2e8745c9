using System.Text.Json;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Reports;

/// <summary>Threads, waits and ownerships of the JSON report.</summary>
internal static class JsonFacts
{
    public static void Write(Utf8JsonWriter json, ProcessSnapshot snapshot, bool allStacks)
    {
        json.WriteStartObject("loader");
        JsonParts.Address(json, "loaderLock", snapshot.Loader.LoaderLockAddress);
        JsonParts.Flag(json, "loaderLockIsHeld", snapshot.Loader.LoaderLockIsHeld);
        JsonParts.Flag(json, "shutdownInProgress", snapshot.Loader.ShutdownInProgress);
        JsonParts.Number(json, "shutdownThread", snapshot.Loader.ShutdownThreadId);
        JsonParts.Flag(json, "loadOwnershipIsKnown", snapshot.Loader.LoadOwnershipIsKnown);
        json.WriteEndObject();
        json.WriteStartArray("threads");
        foreach (ThreadSnapshot thread in snapshot.Threads)
        {
            WriteThread(json, thread, allStacks);
        }

        json.WriteEndArray();
        json.WriteStartArray("waits");
        foreach (WaitFact wait in snapshot.Waits)
        {
            json.WriteStartObject();
            json.WriteNumber("thread", wait.ThreadId);
            JsonParts.Resource(json, wait.Resource);
            json.WriteString("timeout", wait.Timeout.ToString());
            JsonParts.Number(json, "milliseconds", wait.Milliseconds);
            json.WriteBoolean("any", wait.IsWaitAny);
            if (wait.IsSatisfied)
            {
                json.WriteBoolean("satisfied", true);
            }

            if (snapshot.ResourceStates.TryGetValue(wait.Resource, out string? state))
            {
                json.WriteString("state", state);
            }

            json.WriteString("grade", wait.Grade.ToString());
            JsonParts.Evidence(json, wait.Evidence);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteStartArray("ownerships");
        foreach (OwnershipFact ownership in snapshot.Ownerships)
        {
            json.WriteStartObject();
            JsonParts.Resource(json, ownership.Resource);
            json.WriteNumber("owner", ownership.OwnerThreadId);
            JsonParts.Flag(json, "ownerIsAlive", ownership.OwnerIsAlive);
            if (ownership.OwnerDescription is { } description)
            {
                json.WriteString("ownerDescription", description);
            }

            JsonParts.Number(json, "recursion", ownership.RecursionCount);
            json.WriteString("grade", ownership.Grade.ToString());
            JsonParts.Evidence(json, ownership.Evidence);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    /// <summary>What is known of the thread's windows and message loop; each absent where nothing is.</summary>
    private static void WriteMessages(Utf8JsonWriter json, ThreadSnapshot thread)
    {
        if (thread.IsGuiThread is { } isGui)
        {
            json.WriteBoolean("guiThread", isGui);
        }

        if (thread.Apartment is { } apartment)
        {
            json.WriteString("apartment", apartment.Kind.ToString());
        }

        if (thread.MessageWait is { } wait)
        {
            json.WriteStartObject("messageWait");
            json.WriteString("function", wait.Function);
            json.WriteString("wakeMask", $"0x{wait.WakeMask:x}");
            json.WriteEndObject();
        }

        if (!thread.Messages.IsEmpty)
        {
            json.WriteStartArray("messages");
            foreach (DispatchedMessage message in thread.Messages)
            {
                json.WriteStartObject();
                json.WriteNumber("frame", message.FrameIndex);
                json.WriteString("window", $"0x{message.Window:x}");
                json.WriteString("message", $"0x{message.Message:x}");
                json.WriteString("grade", message.Grade.ToString());
                json.WriteEndObject();
            }

            json.WriteEndArray();
        }
    }

    private static void WriteThread(Utf8JsonWriter json, ThreadSnapshot thread, bool allStacks)
    {
        json.WriteStartObject();
        json.WriteNumber("index", thread.Index);
        json.WriteNumber("id", thread.Id);
        json.WriteString("name", thread.Name);
        JsonParts.Number(json, "managedId", thread.ManagedId);
        JsonParts.Address(json, "teb", thread.Teb);
        JsonParts.Address(json, "startAddress", thread.StartAddress);
        JsonParts.Flag(json, "loadOwner", thread.IsLoadOwner);
        json.WriteString("activity", thread.Activity.Kind.ToString());
        json.WriteString("systemCall", thread.Activity.SystemCall);
        JsonParts.Number(json, "userMicroseconds", (long?)thread.Times?.User.TotalMicroseconds);
        JsonParts.Number(json, "kernelMicroseconds", (long?)thread.Times?.Kernel.TotalMicroseconds);
        if (thread.RecentUse is { } use)
        {
            json.WriteStartObject("recentUse");
            json.WriteNumber("usedMicroseconds", (long)use.Used.TotalMicroseconds);
            json.WriteNumber("overMicroseconds", (long)use.Over.TotalMicroseconds);
            JsonParts.Flag(json, "alwaysReady", use.WasAlwaysReady);
            json.WriteEndObject();
        }

        WriteMessages(json, thread);
        json.WriteString("stackEnd", thread.Stack.End.ToString());
        if (allStacks)
        {
            Frames(json, "frames", thread.Stack);
            if (thread.EmulationStack is { } layer)
            {
                Frames(json, "emulationFrames", layer);
            }
        }

        json.WriteEndObject();
    }

    private static void Frames(Utf8JsonWriter json, string name, ThreadStack stack)
    {
        json.WriteStartArray(name);
        for (int i = 0; i < stack.Frames.Length; i++)
        {
            JsonParts.Frame(json, i, stack.Frames[i]);
        }

        json.WriteEndArray();
    }
}
