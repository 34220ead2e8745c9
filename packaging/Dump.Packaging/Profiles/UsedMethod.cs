using System.Globalization;
using System.Reflection.Metadata;

namespace Dump.Packaging.Profiles;

/// <summary>
/// A method of which precompiled code is wanted, as one line of <c>packaging/start-methods.txt</c>: <c>Assembly!Type::Name/2</c>, where 2 is the number of its
/// parameters, and <c>Assembly!Type[Argument]::Name[Argument]/2</c> of generic ones.
/// </summary>
/// <param name="Assembly">Simple name of the assembly that declares it.</param>
/// <param name="Type">Its type with all type arguments.</param>
/// <param name="Name">Its name in metadata.</param>
/// <param name="Arguments">Its own type arguments; empty when it has none.</param>
/// <param name="Parameters">Number of its parameters, by which overloads are told apart as far as they can be.</param>
public sealed record UsedMethod(string Assembly, TypeName Type, string Name, IReadOnlyList<TypeName> Arguments, int Parameters)
{
    /// <summary>Reads a line; null when it is none of that form.</summary>
    public static UsedMethod? Of(string line)
    {
        int assembly = line.IndexOf('!', StringComparison.Ordinal);
        int name = line.LastIndexOf("::", StringComparison.Ordinal);
        int count = line.LastIndexOf('/');
        if (assembly <= 0 || name < assembly || count < name
            || !int.TryParse(line.AsSpan(count + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int parameters)
            || !TypeName.TryParse(line.AsSpan(assembly + 1, name - assembly - 1), out TypeName? type))
        {
            return null;
        }

        string method = line[(name + 2)..count];
        int arguments = method.EndsWith(']') ? method.IndexOf('[', StringComparison.Ordinal) : -1;
        if (arguments < 0)
        {
            return new UsedMethod(line[..assembly], type, method, [], parameters);
        }

        // The arguments of a method are written as those of a type, so they are read as such.
        return TypeName.TryParse($"M{method[arguments..]}", out TypeName? holder) && holder.IsConstructedGenericType
            ? new UsedMethod(line[..assembly], type, method[..arguments], holder.GetGenericArguments(), parameters)
            : null;
    }
}
