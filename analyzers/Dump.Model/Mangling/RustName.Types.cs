using System.Globalization;

namespace Dump.Model.Mangling;

/// <content>Types.</content>
internal sealed partial class RustName
{
    private bool Type() => Within(TypeHere);

    private bool TypeHere()
    {
        char tag = Next;
        if (Basic(tag) is { } basic)
        {
            _at++;
            return Print(basic);
        }

        if (tag is 'C' or 'N' or 'M' or 'X' or 'Y' or 'I')
        {
            return Path(isInValue: false);
        }

        _at++;
        return tag switch
        {
            'R' or 'Q' => Reference(tag == 'Q'),
            'P' => Print("*const ") && Type(),
            'O' => Print("*mut ") && Type(),
            'A' => Print("[") && Type() && Print("; ") && Constant() && Print("]"),
            'S' => Print("[") && Type() && Print("]"),
            'T' => Tuple(),
            'F' => Bound(Function),
            'D' => Print("dyn ") && Bound(Traits) && Take('L') && TraitLifetime(),
            'B' => Back(Type),
            _ => false,
        };
    }

    private static string? Basic(char tag) => tag switch
    {
        'a' => "i8",
        'b' => "bool",
        'c' => "char",
        'd' => "f64",
        'e' => "str",
        'f' => "f32",
        'h' => "u8",
        'i' => "isize",
        'j' => "usize",
        'l' => "i32",
        'm' => "u32",
        'n' => "i128",
        'o' => "u128",
        'p' => "_",
        's' => "i16",
        't' => "u16",
        'u' => "()",
        'v' => "...",
        'x' => "i64",
        'y' => "u64",
        'z' => "!",
        _ => null,
    };

    private bool Reference(bool isMutable)
    {
        _out.Append('&');
        if (Take('L'))
        {
            if (Base62() is not { } lifetime || (lifetime != 0 && !(Lifetime(lifetime) && Print(" "))))
            {
                return false;
            }
        }

        return Print(isMutable ? "mut " : "") && Type();
    }

    private bool Tuple()
    {
        int start = Open('('), count = 0;
        for (; !Take('E'); count++)
        {
            if (!Print(count > 0 ? ", " : "") || !Type())
            {
                return false;
            }
        }

        return Print(count == 1 ? "," : "") && Close(start, ')');
    }

    /// <summary>What may name lifetimes of its own before it: <c>for&lt;'a&gt;</c>.</summary>
    private bool Bound(Func<bool> read)
    {
        int before = _lifetimes;
        if (Take('G'))
        {
            if (Base62() is not { } more || more >= (ulong)_text.Length)
            {
                return false;
            }

            _out.Append("for<");
            for (ulong i = 0; i <= more; i++)
            {
                _lifetimes++;
                if (!Print(i > 0 ? ", " : "") || !Within(() => Lifetime(1)))
                {
                    return false;
                }
            }

            _out.Append("> ");
        }

        bool isRead = read();
        _lifetimes = before;
        return isRead;
    }

    private bool Lifetime() => Within(() => Base62() is { } lifetime && Lifetime(lifetime));

    /// <summary>A lifetime by how many were named since; 0 is one without name.</summary>
    private bool Lifetime(ulong lifetime)
    {
        if (lifetime == 0)
        {
            return Print("'_");
        }

        if (lifetime > (ulong)_lifetimes)
        {
            return false;
        }

        ulong depth = (ulong)_lifetimes - lifetime;
        return Print(depth < 26 ? $"'{(char)('a' + depth)}" : string.Create(CultureInfo.InvariantCulture, $"'_{depth}"));
    }

    private bool Function()
    {
        Print(Take('U') ? "unsafe " : "");
        if (Take('K'))
        {
            string? abi = Take('C') ? "C" : Identifier() is { } name ? name.Name.Replace('_', '-') : null;
            if (abi is null)
            {
                return false;
            }

            _out.Append($"extern \"{abi}\" ");
        }

        _out.Append("fn");
        int start = Open('(');
        for (int i = 0; !Take('E'); i++)
        {
            if (!Print(i > 0 ? ", " : "") || !Type())
            {
                return false;
            }
        }

        return Close(start, ')') && (Take('u') || (Print(" -> ") && Type()));
    }

    private bool Traits()
    {
        for (int i = 0; !Take('E'); i++)
        {
            if (!Print(i > 0 ? " + " : "") || !Trait())
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>A trait, with its associated types among its arguments.</summary>
    private bool Trait()
    {
        if (OpenPath() is not { } start)
        {
            return false;
        }

        while (Take('p'))
        {
            if (start < 0)
            {
                start = Open('<');
            }
            else
            {
                _out.Append(", ");
            }

            if (Identifier() is not { } name || !Print(name.Name + " = ") || !Type())
            {
                return false;
            }
        }

        return start < 0 || Close(start, '>');
    }

    /// <summary>A path whose arguments are left open; where they begin, negative where it has none, null where it is no path.</summary>
    private int? OpenPath()
    {
        int start = -1;
        if (Take('B'))
        {
            return Within(() => Back(() => OpenPath() is { } found && (start = found) == found)) ? start : null;
        }

        if (!Take('I'))
        {
            return Path(isInValue: false) ? start : null;
        }

        if (!Path(isInValue: false))
        {
            return null;
        }

        start = Open('<');
        for (int i = 0; !Take('E'); i++)
        {
            if (!Print(i > 0 ? ", " : "") || !Generic())
            {
                return null;
            }
        }

        return start;
    }

    private bool TraitLifetime() => Base62() is { } lifetime && (lifetime == 0 || (Print(" + ") && Lifetime(lifetime)));
}
