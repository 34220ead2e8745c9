using System.Collections.Immutable;

namespace Dump.EndToEnd.Tests.Published;

/// <summary>A thread of a published case.</summary>
/// <param name="Flags">What else was published of it; see the head of <c>cases.txt</c>.</param>
/// <param name="Frames">Its frames, innermost first: module, function, and whether the module exports that.</param>
internal sealed record PublishedThread(ImmutableArray<string> Flags, ImmutableArray<(string Module, string Function, bool IsExported)> Frames)
{
    /// <summary>The value of a flag <c>name=value</c>, or null.</summary>
    public string? Value(string name) => Flags.FirstOrDefault(f => f.StartsWith(name + "=", StringComparison.Ordinal))?[(name.Length + 1)..];

    /// <summary>A frame as <c>module!function</c>, with a ' before a function that is not exported.</summary>
    public static (string Module, string Function, bool IsExported) Frame(string text)
    {
        string[] parts = text.Split('!', 2);
        return (parts[0], parts[1].TrimStart('\''), !parts[1].StartsWith('\''));
    }
}
