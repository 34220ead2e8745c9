using Dump.Model.Waits;

namespace Dump.Clr;

/// <summary>The name of a resource.</summary>
/// <param name="Resource">The resource.</param>
/// <param name="Name">Its name for people.</param>
internal sealed record ResourceName(Resource Resource, string Name);
