using System.Collections;
using System.Collections.Concurrent;
using System.Globalization;
using System.Reflection;
using Dump.Model.Waits;

namespace Dump.Testing.Renaming;

/// <summary>Rebuilds records of the model with every number and text renamed, by their members' roles.</summary>
public static class ModelWalk
{
    private static readonly ConcurrentDictionary<Type, Member[]> s_members = new();

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
        foreach (Member member in s_members.GetOrAdd(record.GetType(), Members))
        {
            Func<object, object>? number = member.Role is { } role ? Number(record, role, renaming) : null;
            object? before = member.Property.GetValue(record), after = Rename(before, member.Property.PropertyType, number, renaming);
            if (!ReferenceEquals(before, after))
            {
                member.Property.SetValue(copy, after);
            }
        }

        return copy;
    }

    /// <summary>Members of a record in which something may have to be renamed.</summary>
    private static Member[] Members(Type record) =>
    [
        .. MemberRoles.Stored(record)
            .Select(p => new Member(p, MemberRoles.HoldsNumbers(p) ? MemberRoles.Of(p) : null))
            .Where(m => m.Role is not MemberRole.Plain && (m.Role is not null || !m.Property.PropertyType.IsValueType
                || m.Property.PropertyType.IsGenericType)),
    ];

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

        return typeof(ModelWalk).GetMethod(nameof(ToImmutable), BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(element)
            .Invoke(null, [renamed]);
    }

    private static System.Collections.Immutable.ImmutableArray<T> ToImmutable<T>(ArrayList items) => items.Count == 0 ? [] : [.. items.Cast<T>()];

    private static object Dictionary(IDictionary dictionary, Type type, Func<object, object>? number, IRenaming renaming)
    {
        Type[] arguments = type.GetGenericArguments();
        object renamed = type.GetMethod("Clear", Type.EmptyTypes)!.Invoke(dictionary, null)!;
        MethodInfo add = type.GetMethod("Add", arguments) ?? throw new InvalidOperationException(
            string.Create(CultureInfo.InvariantCulture, $"{type} is no immutable dictionary."));
        foreach (DictionaryEntry entry in dictionary)
        {
            renamed = add.Invoke(renamed, [Rename(entry.Key, arguments[0], null, renaming), Rename(entry.Value, arguments[1], number, renaming)])!;
        }

        return renamed;
    }

    private sealed record Member(PropertyInfo Property, MemberRole? Role);
}
