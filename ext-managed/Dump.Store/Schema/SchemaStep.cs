using System.Collections.Immutable;

namespace Dump.Store.Schema;

/// <summary>What leads from one version of the schema to the next.</summary>
/// <param name="Version">The version that it leads to.</param>
/// <param name="Statements">
/// What is executed, in order. <c>{key}</c> stands for a key that the database counts, <c>{bytes}</c> for the type of bytes, <c>{text}</c> for that of text
/// compared byte by byte, <c>{number}</c> for that of whole numbers.
/// </param>
internal sealed record SchemaStep(int Version, ImmutableArray<string> Statements);
