using System.Globalization;

namespace Dump.Model.Wording;

/// <summary>What is said of a thread that somebody has suspended.</summary>
public static class SuspensionWords
{
    /// <summary>What a thread does that executed code when it was suspended.</summary>
    public const string Ran = "ran until somebody suspended it";

    /// <summary>The words, or null for a thread that is not known to be suspended by more than the writer of the dump.</summary>
    /// <param name="above">By how much its suspend count exceeds the others', or null when unknown.</param>
    public static string? Of(int? above) =>
        above > 0 ? string.Create(CultureInfo.InvariantCulture, $"suspended (count {above} above what the dump's writer gives)") : null;
}
