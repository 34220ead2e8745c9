namespace Dump.EndToEnd.Tests.Lab;

/// <summary>Tests of threads that use processor time. They run alone, after all others, so that no other test takes it from them.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class Undisturbed
{
    /// <summary>Name of the collection.</summary>
    public const string Name = "Undisturbed";
}
