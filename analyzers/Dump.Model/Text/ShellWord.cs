namespace Dump.Model.Text;

/// <summary>Words of command lines that people are told to type.</summary>
public static class ShellWord
{
    /// <summary>The word as a shell takes it.</summary>
    /// <param name="word">A name, which dumps and command lines may have made up.</param>
    public static string Quoted(string word) => IsPlain(word) ? word : $"\"{word}\"";

    /// <summary>True for a word that every shell takes as it is.</summary>
    /// <param name="word">The word.</param>
    public static bool IsPlain(string word) => word.Length > 0 && word.All(c => char.IsLetterOrDigit(c) || c is '/' or '\\' or '.' or '-' or '_' or ':');
}
