using Dump.Model;

namespace Dump.Reports;

/// <summary>Resources in words.</summary>
internal static class ResourceText
{
    /// <summary>A resource by kind, address or handle, and name, for example <c>mutex 0x44 'Global\x'</c>.</summary>
    public static string Describe(ProcessSnapshot snapshot, Resource resource)
    {
        string text = resource switch
        {
            { Kind: ResourceKind.Thread, Identity: <= uint.MaxValue } => $"the end of {ThreadText.Describe(snapshot, (uint)resource.Identity)}",
            { Kind: ResourceKind.Time } => "time to pass (sleep)",
            { Kind: ResourceKind.Work } => "new work",
            { Kind: ResourceKind.LoadOwnership } => "load ownership",
            { Kind: ResourceKind.LoaderWorkers } => "the loader's worker threads",
            { Kind: ResourceKind.Unknown } => "something that could not be identified",
            { Kind: ResourceKind.SlimReaderWriterLock } => Identified("SRW lock", resource.Identity),
            _ => Identified(EnumText.Words(resource.Kind), resource.Identity),
        };
        return snapshot.ResourceNames.TryGetValue(resource, out string? name) ? $"{text} '{name}'" : text;
    }

    private static string Identified(string kind, ulong identity) => identity == 0 ? $"{kind} that could not be identified" : $"{kind} 0x{identity:x}";
}
