using Dump.Model.Waits;

namespace Dump.Clr;

/// <summary>A resource in its users' words.</summary>
/// <param name="Resource">The resource.</param>
/// <param name="Description">What it is.</param>
internal sealed record DescribedResource(Resource Resource, ResourceDescription Description);
