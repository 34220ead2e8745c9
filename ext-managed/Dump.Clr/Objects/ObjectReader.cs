using System.Collections.Immutable;
using Dump.Clr.Collections;
using Dump.Clr.Frames;
using Dump.Clr.Heap;
using Dump.Clr.Locks;
using Dump.Clr.Runtimes;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Wording;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Objects;

/// <summary>Reads objects into words.</summary>
internal sealed class ObjectReader(ClrRuntime runtime)
{
    private const int LongestName = 512;
    private const int LongestText = 4_096;
    private const int MostFields = 500;
    private const int DeepestStructure = 4;
    private const long MostSteps = 50_000_000;

    /// <summary>The object at an address, or null when there is none.</summary>
    /// <param name="address">Address.</param>
    /// <param name="mostElements">Most elements or entries to read.</param>
    public ObjectDocument? Read(ulong address, int mostElements)
    {
        ClrObject target = runtime.Heap.GetObject(address);
        if (address == 0 || target.Type is not { } type)
        {
            return null;
        }

        ObjectDocument description = new()
        {
            Address = address,
            Type = SafeText.Clean(type.Name ?? "?", LongestName),
            Size = (long)target.Size,
            MonitorOwner = OwnerOf(address),
            Text = type.IsString ? Text(target) : null,
        };
        if (type.IsArray)
        {
            return WithElements(description, target, type, mostElements);
        }

        List<ObjectField> fields = [];
        if (!type.IsString)
        {
            AddFields(fields, "", type, address + MethodTableLayout.Fields, 0);
        }

        return WithEntries(description with { Fields = [.. fields] }, type, mostElements);
    }

    private static string? Text(ClrObject target) => target.AsString(LongestText + 1) is not { } text ? null
        : SafeText.Clean(text, LongestText);

    private string? OwnerOf(ulong address)
    {
        if (new MonitorOwners(runtime.Heap, new ManagedThreads(runtime, new ManagedThreadObjects(runtime), new HashSet<uint>())).Of(address) is not { } owner)
        {
            return null;
        }

        string thread = owner.ThreadId is { } id ? $"thread {ThreadNames.Id(id, ClrTarget.FamilyOf(runtime))}" : $"a thread that has ended (managed id {owner.ManagedThreadId})";
        return $"{thread}, {owner.Evidence.Text}";
    }

    private void AddFields(List<ObjectField> fields, string prefix, ClrType type, ulong start, int depth)
    {
        foreach (ClrInstanceField field in type.Fields)
        {
            if (fields.Count >= MostFields)
            {
                return;
            }

            string name = prefix + SafeText.Clean(field.Name ?? "?", LongestName);
            bool isStructure = field.ElementType == ClrElementType.Struct && field.Type is { IsEnum: false, IsPrimitive: false, Fields.Length: > 0 };
            if (isStructure && depth < DeepestStructure)
            {
                AddFields(fields, name + ".", field.Type!, start + (ulong)field.Offset, depth + 1);
            }
            else
            {
                fields.Add(new ObjectField(name, SafeText.Clean(field.Type?.Name ?? field.ElementType.ToString(), LongestName),
                    ValueText.Read(runtime, field, start)));
            }
        }
    }

    private ObjectDocument WithElements(ObjectDocument description, ClrObject target, ClrType type, int mostElements)
    {
        ClrArray array = target.AsArray();
        if (array.Rank != 1)
        {
            return description with { Count = array.Length, Problem = "elements of arrays with several dimensions are not listed" };
        }

        ClrType? component = type.ComponentType;
        List<ObjectElement> elements = [];
        for (int i = 0; i < Math.Min(array.Length, mostElements); i++)
        {
            ulong at = target.Address + MethodTableLayout.ArrayData + (ulong)i * (ulong)type.ComponentSize;
            bool isReference = component?.IsObjectReference ?? false;
            elements.Add(new ObjectElement(i, null, ValueText.Read(
                runtime, component?.ElementType ?? ClrElementType.Unknown, isReference, component?.Name, type.ComponentSize, at)));
        }

        return description with { Count = array.Length, Elements = [.. elements] };
    }

    /// <summary>Entries of a hash table by their place in memory, which a broken chain does not hide.</summary>
    private ObjectDocument WithEntries(ObjectDocument description, ClrType type, int mostElements)
    {
        if (new CollectionTypes(runtime).LayoutOf(type) is not ChainedTableLayout layout)
        {
            return description;
        }

        try
        {
            CollectionMemory memory = new(new ClrMemory(runtime.DataTarget.DataReader), new StepBudget(MostSteps), CancellationToken.None);
            CollectionState state = layout.Check(memory, description.Address);
            if (state.Table is not { } table)
            {
                return description with { Count = 0 };
            }

            ImmutableArray<ObjectElement> entries =
            [
                .. Enumerable.Range(0, Math.Clamp(table.Count, 0, table.EntryCount))
                    .Where(table.IsUsed)
                    .Take(mostElements)
                    .Select(i => EntryReader.Read(runtime, table, i))
                    .Select(e => new ObjectElement(e.Index, e.Key, e.Value)),
            ];
            return description with
            {
                Count = table.Count - table.FreeCount,
                Elements = entries,
                Problem = state.Faults.IsEmpty ? null : "its chains are broken: see dumpanalyze dictloop FILE ADDRESS",
            };
        }
        catch (MissingMemoryException missing)
        {
            return description with { Problem = $"its entries cannot be read: {SafeText.Clean(missing.Message)}" };
        }
    }
}
