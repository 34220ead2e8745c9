using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;

namespace Dump.Reports;

/// <summary>Resources in words.</summary>
internal static class ResourceText
{
    /// <summary>A resource by kind, address or handle, and name, for example <c>mutex (handle 0x44) 'Global\x'</c>.</summary>
    public static string Describe(ProcessSnapshot snapshot, Resource resource)
    {
        string text = resource switch
        {
            _ when snapshot.ResourceDescriptions.TryGetValue(resource, out ResourceDescription? known) =>
                $"{known.Name} 0x{resource.Identity:x}{(known.State is { } state ? $" ({state})" : "")}",
            { Kind: ResourceKind.Thread, Identity: <= uint.MaxValue } => $"the end of {ThreadText.Describe(snapshot, (uint)resource.Identity)}",
            { Kind: ResourceKind.Time } => "time to pass (sleep)",
            { Kind: ResourceKind.WindowMessage, Identity: not 0 } => $"a message to window 0x{resource.Identity:x}",
            { Kind: ResourceKind.Work } => "new work",
            { Kind: ResourceKind.ComCall } => "the answer to its COM call",
            { Kind: ResourceKind.LoadOwnership } => "load ownership",
            { Kind: ResourceKind.LoaderWorkers } => "the loader's worker threads",
            { Kind: ResourceKind.Unknown } => "something that could not be identified",
            { Kind: ResourceKind.OneTimeInitialization } => Identified("one-time initialisation", resource.Identity),
            { Kind: ResourceKind.SlimReaderWriterLock } => Identified("SRW lock", resource.Identity),
            { Kind: ResourceKind.Mutex or ResourceKind.Process or ResourceKind.Event or ResourceKind.Semaphore or ResourceKind.Timer or ResourceKind.KernelObject or ResourceKind.InputOutput
                or ResourceKind.RemoteCall }
                => Identified(EnumText.Words(resource.Kind), resource.Identity, isHandle: true),
            _ => Identified(EnumText.Words(resource.Kind), resource.Identity),
        };
        text = snapshot.WithState(resource, text);
        return snapshot.ResourceNames.TryGetValue(resource, out string? name) ? $"{text} {SafeText.Quote(name)}" : text;
    }

    private static string Identified(string kind, ulong identity, bool isHandle = false) =>
        identity == 0 ? $"{kind} that could not be identified"
        : isHandle ? $"{kind} (handle 0x{identity:x})"
        : $"{kind} 0x{identity:x}";
}
