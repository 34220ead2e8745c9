using System.Text.Json.Serialization;

namespace Dump.Clr.Wine;

[JsonSerializable(typeof(ManagedHalf))]
internal sealed partial class ManagedHalfJsonContext : JsonSerializerContext;
