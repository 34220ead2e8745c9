using Dump.Model;

namespace Dump.Clr.Waits;

/// <summary>What a thread waits for.</summary>
/// <param name="Resource">The resource.</param>
/// <param name="Name">Its name for people, or null.</param>
/// <param name="Grade">How well it is known.</param>
/// <param name="Evidence">Why.</param>
internal sealed record WaitTarget(Resource Resource, string? Name, Grade Grade, Evidence Evidence);
