using System.Collections;
using System.Globalization;
using System.Reflection;
using Dump.Model;

namespace Dump.Testing.Renaming;

/// <summary>Rebuilds records of the model with every number and text renamed, by their members' roles.</summary>
public static class ModelWalk
{
    /// <summary>The renamed copy of a record or of a collection of records.</summary>
    public static T Rename<T>(T value, IRenaming renaming)
        where T : notnull => (T)Rename(value, typeof(T), null, renaming)!;

    private static object? Rename(object? value, Type type, Func<object, object>? number, IRenaming renaming) => value switch
    {
        null => null,
        string text => renaming.Text(text),
        IDictionary dictionary => Dictionary(dictionary, type, number, renaming),
        IEnumerable list when type.IsGenericType => List(list, type, number, renaming),
        _ when MemberRoles.IsRecord(value.GetType()) => Record(value, renaming),
        _ => number is null ? value : number(value),
    };

    private static object Record(object record, IRenaming renaming)
    {
        object copy = record.GetType().GetMethod("<Clone>$")!.Invoke(record, null)!;
        foreach (PropertyInfo member in MemberRoles.Stored(record.GetType()))
        {
            Func<object, object>? number = MemberRoles.HoldsNumbers(member) ? Number(record, MemberRoles.Of(member), renaming) : null;
            member.SetValue(copy, Rename(member.GetValue(record), member.PropertyType, number, renaming));
        }

        return copy;
    }

    private static Func<object, object> Number(object record, MemberRole role, IRenaming renaming) => role switch
    {
        MemberRole.Thread => id => (uint)id == 0 ? 0u : renaming.Thread((uint)id),
        MemberRole.Process => id => renaming.Process((uint)id),
        MemberRole.Word => word => renaming.Word((ulong)word),
        MemberRole.Address => address => renaming.Address((ulong)address),
        MemberRole.Identity => identity => renaming.Identity(((Resource)record).Kind, (ulong)identity),
        _ => same => same,
    };

    private static object? List(IEnumerable list, Type type, Func<object, object>? number, IRenaming renaming)
    {
        if (type.GetProperty("IsDefault") is { } isDefault && (bool)isDefault.GetValue(list)!)
        {
            return list;
        }

        Type element = type.GetGenericArguments().Single();
        ArrayList renamed = [];
        foreach (object? item in list)
        {
            renamed.Add(Rename(item, element, number, renaming));
        }

        return typeof(ModelWalk).GetMethod(nameof(ToImmutable), BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(element).Invoke(null, [renamed]);
    }

    private static System.Collections.Immutable.ImmutableArray<T> ToImmutable<T>(ArrayList items) => [.. items.Cast<T>()];

    private static object Dictionary(IDictionary dictionary, Type type, Func<object, object>? number, IRenaming renaming)
    {
        Type[] arguments = type.GetGenericArguments();
        object renamed = type.GetMethod("Clear", Type.EmptyTypes)!.Invoke(dictionary, null)!;
        MethodInfo add = type.GetMethod("Add", arguments) ?? throw new InvalidOperationException(string.Create(CultureInfo.InvariantCulture, $"{type} is no immutable dictionary."));
        foreach (DictionaryEntry entry in dictionary)
        {
            renamed = add.Invoke(renamed, [Rename(entry.Key, arguments[0], null, renaming), Rename(entry.Value, arguments[1], number, renaming)])!;
        }

        return renamed;
    }
}
