using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Process;

/// <summary>A function of the program that the compiler has put into the one whose frame it is, and that the thread is in there.</summary>
/// <param name="Function">Its name.</param>
/// <param name="Source">Where in it the thread stands, or where its call of the next one is; null when unknown.</param>
public sealed record InlinedCall(
    [property: JsonRequired] string Function,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] SourceLocation? Source);
