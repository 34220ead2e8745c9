using Dump.Testing.Lab;

namespace Dump.Store.Tests;

/// <summary>Tests that share one PostgreSQL server, each with databases of its own.</summary>
[CollectionDefinition(Name)]
public sealed class PostgresCollection : ICollectionFixture<PostgresServer>
{
    public const string Name = "PostgreSQL";
}
