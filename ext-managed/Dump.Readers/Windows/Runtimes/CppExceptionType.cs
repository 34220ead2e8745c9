using System.Text;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Windows.Runtimes;

/// <summary>Finds the type of an exception that Visual C++ code has thrown.</summary>
internal static class CppExceptionType
{
    private const string ClassPrefix = ".?A";

    /// <summary>The type's name as in source where it is simple, else decorated; null when it is not in the dump or the parameters are no C++ exception's.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="architecture">Of the code that threw.</param>
    /// <param name="parameters">The exception's parameters, addresses not extended by their sign.</param>
    public static string? Read(IMemory memory, ProcessorArchitecture architecture, IReadOnlyList<ulong> parameters)
    {
        bool isRelative = architecture.PointerSize() == sizeof(ulong);
        if (parameters.Count <= (isRelative ? CppThrowLayout.ImageBaseParameter : CppThrowLayout.ThrowInfoParameter)
            || parameters[0] is < CppThrowLayout.Magic or > CppThrowLayout.LastMagic)
        {
            return null;
        }

        ulong image = isRelative ? parameters[CppThrowLayout.ImageBaseParameter] : 0;
        ulong? Follow(ulong? from, uint field) => from is { } at && memory.ReadUInt32(unchecked(at + field)) is { } next and not 0 ? unchecked(image + next) : null;
        ulong? type = Follow(Follow(Follow(parameters[CppThrowLayout.ThrowInfoParameter], CppThrowLayout.CatchableTypes), CppThrowLayout.FirstCatchableType),
            CppThrowLayout.TypeDescriptor);
        return type is { } descriptor ? Undecorated(Text(memory, unchecked(descriptor + CppThrowLayout.Name(architecture)))) : null;
    }

    /// <summary><c>.?AVbad_alloc@std@@</c> is <c>std::bad_alloc</c>: the parts of a plain name, innermost first. Templates and others stay as they are.</summary>
    internal static string? Undecorated(string? decorated)
    {
        if (decorated is null || decorated.Length <= ClassPrefix.Length)
        {
            return null;
        }

        string clean = SafeText.Clean(decorated, CppThrowLayout.LongestName);
        string name = clean[(ClassPrefix.Length + 1)..];
        return clean.StartsWith(ClassPrefix, StringComparison.Ordinal) && name.EndsWith("@@", StringComparison.Ordinal)
            && name[..^2].Split('@') is { } parts && Array.TrueForAll(parts, p => p.Length > 0 && p.All(c => char.IsAsciiLetterOrDigit(c) || c == '_'))
            ? string.Join("::", parts.Reverse()) : clean;
    }

    private static string? Text(IMemory memory, ulong address)
    {
        byte[] bytes = new byte[CppThrowLayout.LongestName];
        int length = 0;
        while (length < bytes.Length && memory.TryRead(unchecked(address + (ulong)length), bytes.AsSpan(length, 1)) && bytes[length] is > 0x20 and < 0x7F)
        {
            length++;
        }

        return length > 0 && length < bytes.Length && bytes[length] == 0 ? Encoding.ASCII.GetString(bytes, 0, length) : null;
    }
}
