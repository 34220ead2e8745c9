namespace Dump.Reports.Json;

/// <summary>Keeps one copy of texts that come again and again: thousands of stored reports name the same modules, functions and locks.</summary>
internal static class RecentTexts
{
    // A text takes the place of the one that fell into the same slot before, so that no report can fill the memory with its names.
    private const int Slots = 1 << 14;
    private const int LongestShared = 512;
    private static readonly string?[] s_texts = new string?[Slots];

    /// <summary>
    /// An equal text, where one was seen lately, or this one. May be called by several threads at a time: what another one has just put there is only missed.
    /// </summary>
    public static string Shared(string text)
    {
        if (text.Length > LongestShared)
        {
            return text;
        }

        ref string? slot = ref s_texts[string.GetHashCode(text) & (Slots - 1)];
        string? recent = slot;
        if (recent == text)
        {
            return recent;
        }

        slot = text;
        return text;
    }
}
