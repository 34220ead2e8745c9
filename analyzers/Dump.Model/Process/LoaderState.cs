using System.Text.Json.Serialization;

namespace Dump.Model.Process;

/// <summary>What is known of the Windows loader as a whole.</summary>
/// <param name="LoaderLockAddress">Address of the loader lock from <c>PEB.LoaderLock</c>, or null when the PEB is not readable.</param>
/// <param name="LoaderLockIsHeld">True or false when the lock's memory was read and is valid; null when unknown. Null is not "free".</param>
/// <param name="ShutdownInProgress">True while the process is exiting (<c>PEB_LDR_DATA.ShutdownInProgress</c>); null when unknown.</param>
/// <param name="ShutdownThreadId">Thread that shuts the process down, or null.</param>
/// <param name="LoadOwnershipIsKnown">True when the load-owner flag of every thread was read; false when some
/// TEBs are missing; null when the version has no load ownership.</param>
public sealed record LoaderState(
    [property: JsonPropertyName("loaderLock")] ulong? LoaderLockAddress,
    bool? LoaderLockIsHeld,
    bool? ShutdownInProgress,
    [property: JsonPropertyName("shutdownThread")] uint? ShutdownThreadId,
    bool? LoadOwnershipIsKnown)
{
    /// <summary>A state of which nothing is known.</summary>
    public static LoaderState Unknown { get; } = new(null, null, null, null, null);
}
