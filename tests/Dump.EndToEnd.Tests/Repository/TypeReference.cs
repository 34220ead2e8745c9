namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>One type of an assembly refers to another one of it.</summary>
internal sealed record TypeReference(string FromNamespace, string From, string ToNamespace, string To)
{
    public override string ToString() => $"{FromNamespace} -> {ToNamespace}: {From} refers to {To}";
}
