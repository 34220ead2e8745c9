namespace Dump.Model.Mangling;

/// <summary>Builtin types and abbreviations of the standard library by their letters (Itanium C++ ABI, "builtin types" and "compression").</summary>
internal static class TypeTable
{
    /// <summary>A type of one small letter, or null.</summary>
    public static string? Builtin(char letter) => letter switch
    {
        'a' => "signed char",
        'b' => "bool",
        'c' => "char",
        'd' => "double",
        'e' => "long double",
        'f' => "float",
        'g' => "__float128",
        'h' => "unsigned char",
        'i' => "int",
        'j' => "unsigned int",
        'l' => "long",
        'm' => "unsigned long",
        'n' => "__int128",
        'o' => "unsigned __int128",
        's' => "short",
        't' => "unsigned short",
        'v' => "void",
        'w' => "wchar_t",
        'x' => "long long",
        'y' => "unsigned long long",
        'z' => "...",
        _ => null,
    };

    /// <summary>A type of a capital D and a letter, or null.</summary>
    public static string? Extended(char letter) => letter switch
    {
        'a' => "auto",
        'c' => "decltype(auto)",
        'd' => "decimal64",
        'e' => "decimal128",
        'f' => "decimal32",
        'h' => "half",
        'i' => "char32_t",
        'n' => "decltype(nullptr)",
        's' => "char16_t",
        'u' => "char8_t",
        _ => null,
    };

    /// <summary>
    /// An abbreviation of a capital S and a letter: as it is written, what it is in full, and the name of its template. Null where there is none.
    /// </summary>
    public static (string Short, string Full, string Template)? Standard(char letter) => letter switch
    {
        'a' => ("std::allocator", "std::allocator", "allocator"),
        'b' => ("std::basic_string", "std::basic_string", "basic_string"),
        's' => ("std::string", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "basic_string"),
        'i' => ("std::istream", "std::basic_istream<char, std::char_traits<char> >", "basic_istream"),
        'o' => ("std::ostream", "std::basic_ostream<char, std::char_traits<char> >", "basic_ostream"),
        'd' => ("std::iostream", "std::basic_iostream<char, std::char_traits<char> >", "basic_iostream"),
        _ => null,
    };
}
