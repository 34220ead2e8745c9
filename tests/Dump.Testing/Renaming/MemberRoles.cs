using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Reflection;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Testing.Renaming;

/// <summary>
/// The role of every number of the model. A number that is missing here cannot be renamed: the walk refuses it by name, so that none is forgotten.
/// </summary>
public static class MemberRoles
{
    private static readonly FrozenDictionary<string, MemberRole> s_roles = Roles(
        (MemberRole.Thread,
        [
            "AsyncChain.Threads", "AsyncStep.RunningThread", "RequestWait.Thread", "RequestGroup.Threads", "ListedRequest.Thread", "AwaitCycle.Threads", "AwaitedSemaphore.Threads", "EndlessWait.ThreadId", "AwaitedSources.Threads",
                "CollectionAccess.ThreadId",
                "FullPipe.Threads", "CollectionFinding.ThreadsInside", "CollectionFinding.ThreadsReferring", "CollectionFinding.ThreadsChanging",
            "CollectionScan.UnlocatedThreads", "LoaderState.ShutdownThreadId", "OwnershipFact.OwnerThreadId", "Resource.Owner",
                "SynchronizationContextFact.ServingThread", "TaskWait.ThreadId",
            "ProcessSnapshot.TriggerThread", "RecordedException.ThreadId", "RecordedException.MisnamedThread", "ProcessSnapshot.UnclearThreads", "ThreadPoolState.Workers", "ThreadSnapshot.Id",
                "WaitFact.ThreadId", "ChainLink.ThreadId", "ChainLink.HolderThreadId", "CodePlace.ThreadId", "Culprit.ThreadId",
            "OpenWait.ThreadId", "OpenWait.Others", "StackExcerpt.ThreadId", "ThreadHistory.ThreadId", "VerdictStatement.Threads", "VictimGroup.ThreadIds", "WaitChain.ThreadId",
                "WaitHistory.Holder",
        ]),
        (MemberRole.Process, ["ProcessSnapshot.ProcessId", "RecordedException.SenderProcessId"]),
        (MemberRole.Word, ["SpinWord.Value", "Evidence.Value"]),
        (MemberRole.Position, ["ThreadSnapshot.Index"]),
        (MemberRole.Identity, ["Resource.Identity"]),
        (MemberRole.Address,
        [
            "ProcessSnapshot.EndedAtExit", "AsyncChain.Example", "AsyncChain.End", "PendingCalls.Object", "PendingCall.Task", "PendingCall.End", "AwaitLink.Task", "AwaitedSemaphore.Address", "SemaphoreHolder.Behind", "RequestGroup.Object", "ListedRequest.Address", "ListedRequest.Object", "EndlessWait.AwaitedObject", "AwaitedTask.Address", "AwaitedSources.Address",
                "HostTransition.Address",
                "AwaitStep.Task",
                "UnobservedFault.Example", "RequestInFlight.Address", "RequestWait.Object",
                "CollectionFinding.Address", "CollectionUse.Address", "Evidence.Address", "HeapStop.SegmentStart", "HeapStop.Address",
            "LoaderState.LoaderLockAddress", "ManagedModule.ImageBase", "RecordedException.Address", "ModuleSnapshot.BaseAddress", "ModuleSnapshot.EntryPoint",
                "ModuleSnapshot.TlsCallbacks", "SpinWord.Address",
            "StackFrame.InstructionPointer", "StackFrame.StackPointer", "StackFrame.FunctionStart", "SynchronizationContextFact.Address",
            "TaskWait.ContinuationContext", "ThreadSnapshot.Teb", "ThreadSnapshot.StartAddress", "UnreadableCollection.Address",
        ]),
        (MemberRole.Plain,
        [
            "ProcessSnapshot.CaughtSignals", "SwitchCount.BeforeStop", "SwitchCount.AtStop", "StandingChild.WritesBelow", "StackFrame.Signal", "AsyncBranch.Count", "AsyncChain.Count", "AsyncChain.Ends", "PendingCalls.Count", "PendingCalls.Methods", "PendingCalls.Ends", "PendingCalls.Requests", "AsyncForest.ChainsLeftOut", "AsyncForest.OtherPendingTasks",
                "AsyncForest.PendingMethods",
            "AsyncForest.Unreadable", "RequestsInFlight.LeftOut", "RequestsInFlight.Unreadable", "RequestInFlight.Port", "AsyncStep.State", "AsyncWaits.HeapLeftOut", "AsyncWaits.HeapShape", "AwaitCycle.Behind", "AwaitCycle.Count", "AwaitCycle.Length",
                "AwaitLink.State", "AwaitPlace.State", "AwaitedSemaphore.Waiters", "AwaitedSemaphore.Unlimited", "AwaitedSemaphore.Blocked", "AwaitedSemaphore.Requests",
                "AwaitedSemaphore.Further", "PendingCall.Use", "RequestGroup.Count", "RequestGroup.Port", "RequestGroup.Objects",
                "RequestGroup.OldestMilliseconds", "RequestGroup.ClientsGone",
                "AwaitedTask.Waiters", "AwaitedTask.Further", "AwaitedSources.Count", "AwaitedSources.Open", "AwaitedSources.Looked", "AsyncWaits.TasksLeftOut",
                "AwaitedSources.Abandoned",
                "AwaitedSources.Further",
                "AwaitingMethod.Count", "UnobservedFault.Count", "CollectionEntry.Index", "CollectionEntry.Next", "CollectionEntry.HashCode",
                "CollectionFault.Path", "CollectionFinding.Count", "MissingData.Count", "CollectionScan.Met",
            "CollectionScan.Sound", "CollectionScan.Unreadable", "CollectionScan.FindingsLeftOut", "HeapStop.BytesLeft", "HeapWalkFacts.Segments",
            "HeapWalkFacts.Objects", "HeapWalkFacts.Bytes", "HeapWalkFacts.Types", "HeapWalkFacts.Gaps", "ModuleSnapshot.Size", "ModuleSnapshot.TimeDateStamp",
            "MethodPlace.Module", "MethodPlace.MethodToken", "MethodPlace.Offset", "ManagedModule.TimeDateStamp", "ManagedModule.ImageSize",
                "ManagedModule.PdbStamp",
            "OwnershipFact.Contentions", "OwnershipFact.ManagedIdAlone", "OwnershipFact.RecursionCount", "ProcessorUse.Pauses",
                "ProcessSnapshot.ProcessStart",
                "ProcessSnapshot.SignalHandlers", "ProcessSnapshot.PendingTimers",
                "ReaderProblem.Offset", "SourceDescription.FileSize", "SourceLocation.Line", "SourceLocation.Column",
            "StackFrame.ModuleOffset", "StackFrame.FunctionOffset",
                "SystemDescription.MajorVersion", "SystemDescription.MinorVersion", "SystemDescription.Build",
            "SystemDescription.ProcessorCount", "ThreadPoolState.MaximumWorkers", "ThreadPoolState.QueuedItems", "ThreadSnapshot.ManagedId",
                "ThreadSnapshot.SuspendedAbove",
            "WaitFact.Milliseconds", "StackExcerpt.FrameIndexes", "DispatchedMessage.FrameIndex", "DispatchedMessage.Window", "DispatchedMessage.Message",
                "UnansweredWindow.Window",
            "RecordedException.Code", "RecordedException.Signal", "RecordedException.SignalCode", "RecordedException.AccessedAddress",
                "RecordedException.Subcode",
            "MessageWait.WakeMask", "KernelWait.Expected", "ThreadSnapshot.ComWaitFlags", "OpenWait.Milliseconds", "OpenWait.ThroughIndex", "OpenWait.OwnIndex",
            "OpenWait.ReadIndex",
                "ThreadHistory.StandsSince", "ThreadHistory.UsedMicroseconds", "WaitHistory.StandsSince",
        ]));

    /// <summary>The names in the table.</summary>
    public static IEnumerable<string> Known => s_roles.Keys;

    /// <summary>The role of a member that holds numbers.</summary>
    /// <exception cref="InvalidOperationException">The table does not know it.</exception>
    public static MemberRole Of(PropertyInfo member) => s_roles.TryGetValue(NameOf(member), out MemberRole role) ? role
        : throw new InvalidOperationException(
            $"{NameOf(member)} is a number of the model without a role in {nameof(MemberRoles)}: say whether it is an address, a thread's id or neither.");

    /// <summary>The name under which a member stands in the table.</summary>
    public static string NameOf(PropertyInfo member) => $"{member.DeclaringType!.Name}.{member.Name}";

    /// <summary>True for a member that holds whole numbers: itself, in a list, or as the values of a dictionary.</summary>
    public static bool HoldsNumbers(PropertyInfo member) => IsNumber(member.PropertyType)
        || (member.PropertyType.IsGenericType && member.PropertyType.GetGenericArguments().Any(IsNumber));

    /// <summary>Members of a record that are stored; those that are computed from others follow by themselves.</summary>
    public static IEnumerable<PropertyInfo> Stored(Type record) =>
        record.GetProperties(BindingFlags.Public | BindingFlags.Instance).Where(p => p.SetMethod is not null);

    /// <summary>Records that can be reached from the given ones.</summary>
    public static IReadOnlySet<Type> Reachable(params Type[] roots)
    {
        HashSet<Type> seen = [];
        Queue<Type> open = new(roots);
        while (open.TryDequeue(out Type? type))
        {
            if (IsRecord(type) && seen.Add(type))
            {
                foreach (PropertyInfo member in Stored(type))
                {
                    open.Enqueue(member.PropertyType);
                    member.PropertyType.GetGenericArguments().ToList().ForEach(open.Enqueue);
                }
            }
        }

        return seen;
    }

    /// <summary>True for a record of the model.</summary>
    public static bool IsRecord(Type type) => type.Assembly == typeof(ProcessSnapshot).Assembly && type.GetMethod("<Clone>$") is not null;

    private static bool IsNumber(Type type) => Type.GetTypeCode(Nullable.GetUnderlyingType(type) ?? type) is >= TypeCode.SByte and <= TypeCode.UInt64
        && !(Nullable.GetUnderlyingType(type) ?? type).IsEnum;

    private static FrozenDictionary<string, MemberRole> Roles(params (MemberRole Role, ImmutableArray<string> Members)[] roles) =>
        roles.SelectMany(r => r.Members.Select(m => KeyValuePair.Create(m, r.Role))).ToFrozenDictionary(StringComparer.Ordinal);
}
