using System.Runtime.InteropServices;
using Dump.Samples.Managed.Scenes;

namespace Dump.Samples.Managed;

/// <summary>All scenes by name.</summary>
internal static class SceneTable
{
    /// <summary>What each scene does on a stage; it returns once the scene stands, unless it holds on to its thread.</summary>
    public static Dictionary<string, Action<Stage>> All()
    {
        Dictionary<string, Action<Stage>> scenes = new(StringComparer.Ordinal);
        MonitorScenes.AddTo(scenes);
        LockScenes.AddTo(scenes);
        TaskScenes.AddTo(scenes);
        AsyncLockScenes.AddTo(scenes);
        RuntimeWaitScenes.AddTo(scenes);
        IdleOwnerScenes.AddTo(scenes);
        ReusedIdScenes.AddTo(scenes);
        HealthyScenes.AddTo(scenes);
        CollectionScenes.AddTo(scenes);
        CrashScenes.AddTo(scenes);
        ExceptionScenes.AddTo(scenes);
        HeapScenes.AddTo(scenes);
        RaceScenes.AddTo(scenes);
        SpinScenes.AddTo(scenes);
        ObjectScenes.AddTo(scenes);
        CollectorScenes.AddTo(scenes);
        WaitScenes.AddTo(scenes);
        InitializationScenes.AddTo(scenes);
        LegacyLockScenes.AddTo(scenes);
        QueueScenes.AddTo(scenes);
        NobodyScenes.AddTo(scenes);
        AbandonedScenes.AddTo(scenes);
        CallScenes.AddTo(scenes);
        AsyncScenes.AddTo(scenes);
        SemaphoreScenes.AddTo(scenes);
        SourceScenes.AddTo(scenes);
        PendingCallScenes.AddTo(scenes);
        DemandScenes.AddTo(scenes);
        AwaitLineScenes.AddTo(scenes);
        TraceScenes.AddTo(scenes);
        TraceVersions.AddTo(scenes);
        if (RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
        {
            NativeScenes.AddTo(scenes);
        }
        else
        {
            PthreadScenes.AddTo(scenes);
        }

        return scenes;
    }
}
