using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Dump.Clr.Frames;

/// <summary>
/// Where a method uses a SemaphoreSlim as a lock: it waits for it and releases the same one itself further down. Who waits there waits for its turn, not for
/// new work. A release that only a handler of exceptions makes does not count: a queue gives back so what it has taken. Read from the method's intermediate
/// language (ECMA-335, III and II.25.4); the numbers of awaits are those that Roslyn stores in <c>&lt;&gt;1__state</c>.
/// </summary>
internal sealed class SemaphoreTurns
{
    private const string Semaphore = "System.Threading.SemaphoreSlim";
    private const string StateField = "<>1__state";
    private const string Getter = "get_";
    private const int MostLoads = 16;

    // Variables and arguments have no token: they are numbered below 0.
    private const int Local = -1;
    private const int Argument = -1_000;
    private readonly ImmutableArray<SemaphoreTurn> _turns;
    private readonly Dictionary<int, int> _awaits;

    private SemaphoreTurns(ImmutableArray<SemaphoreTurn> turns, Dictionary<int, int> awaits) => (_turns, _awaits) = (turns, awaits);

    /// <summary>True where the method has such a use.</summary>
    public bool Any => !_turns.IsEmpty;

    /// <summary>What a suspended call of the method is inside of: it has waited, and has not released.</summary>
    /// <param name="state">Number of the await at which the call stands.</param>
    /// <returns>The turns; none where that is not known.</returns>
    public IEnumerable<SemaphoreTurn> Around(int state) =>
        _awaits.TryGetValue(state, out int place)
            ? _turns.Where(t => t.Wait < place && place < t.Release && (!t.IsAwaited || _awaits.Values.Where(a => a > t.Wait).Min() < place)) : [];

    /// <summary>Reads the body of a method.</summary>
    /// <param name="body">The body, from its header on; what follows it does not matter.</param>
    /// <param name="names">The metadata of the method's module.</param>
    /// <exception cref="BadImageFormatException">The body or the metadata are damaged.</exception>
    public static unsafe SemaphoreTurns Read(ReadOnlySpan<byte> body, MetadataReader names)
    {
        fixed (byte* start = body)
        {
            MethodBodyBlock block = MethodBodyBlock.Create(new BlobReader(start, body.Length));
            BlobReader code = block.GetILReader();
            ReadOnlySpan<byte> bytes = new(code.StartPointer, code.Length);
            Dictionary<int, int> awaits = [];
            List<SemaphoreCall> calls = Calls(bytes, names, awaits);
            calls.RemoveAll(c => c.IsRelease && block.ExceptionRegions.Any(r => r.Kind != ExceptionRegionKind.Finally
                && c.Offset >= r.HandlerOffset && c.Offset < r.HandlerOffset + r.HandlerLength));
            return new SemaphoreTurns([.. Turns(calls, names)], awaits);
        }
    }

    private static IEnumerable<SemaphoreTurn> Turns(List<SemaphoreCall> calls, MetadataReader names)
    {
        SemaphoreCall[] waits = [.. calls.Where(c => !c.IsRelease)];
        foreach (SemaphoreCall wait in waits)
        {
            int next = waits.Where(w => w.Offset > wait.Offset).Select(w => w.Offset).DefaultIfEmpty(int.MaxValue).Min();
            if (calls.LastOrDefault(c => c.IsRelease && c.Offset > wait.Offset && c.Offset < next && wait.Loads.Contains(c.Loads[^1])) is { } release)
            {
                yield return Name(release.Loads[^1], names) with { Wait = wait.Offset, Release = release.Offset, IsAwaited = wait.IsAwaited };
            }
        }
    }

    /// <summary>The calls of semaphores in a method, in the order of its code, each with what was loaded before it.</summary>
    private static List<SemaphoreCall> Calls(ReadOnlySpan<byte> code, MetadataReader names, Dictionary<int, int> awaits)
    {
        List<SemaphoreCall> calls = [];
        List<int> loads = [];
        int constant = -1;
        for (int at = 0; at < code.Length;)
        {
            int start = at;
            ILOpCode operation = code[at] == 0xFE && at + 1 < code.Length ? (ILOpCode)(0xFE00 | code[at + 1]) : (ILOpCode)code[at];
            at += (int)operation > 0xFF ? 2 : 1;
            int operand = at + 4 <= code.Length ? BinaryPrimitives.ReadInt32LittleEndian(code[at..]) : 0;
            at = checked(at + (operation == ILOpCode.Switch ? sizeof(int) + (sizeof(int) * Math.Max(0, operand)) : SizeOfOperand(operation)));
            switch (operation)
            {
                case ILOpCode.Ldfld or ILOpCode.Ldsfld:
                    loads.Add(operand);
                    break;
                case >= ILOpCode.Ldloc_0 and <= ILOpCode.Ldloc_3:
                    loads.Add(Local - (operation - ILOpCode.Ldloc_0));
                    break;
                case ILOpCode.Ldloc_s when start + 1 < code.Length:
                    loads.Add(Local - code[start + 1]);
                    break;
                case >= ILOpCode.Ldarg_0 and <= ILOpCode.Ldarg_3:
                    loads.Add(Argument - (operation - ILOpCode.Ldarg_0));
                    break;
                case ILOpCode.Ldarg_s when start + 1 < code.Length:
                    loads.Add(Argument - code[start + 1]);
                    break;
                case >= ILOpCode.Ldc_i4_0 and <= ILOpCode.Ldc_i4_8:
                    constant = operation - ILOpCode.Ldc_i4_0;
                    break;
                case ILOpCode.Ldc_i4_m1:
                    constant = -1;
                    break;
                case ILOpCode.Ldc_i4_s when start + 1 < code.Length:
                    constant = (sbyte)code[start + 1];
                    break;
                case ILOpCode.Stfld when constant >= 0 && NameOf(operand, names) == StateField:
                    awaits.TryAdd(constant, start);
                    loads.Clear();
                    break;
                case ILOpCode.Call or ILOpCode.Callvirt:
                    if (IsOfSemaphore(operand, names, out string name) && loads.Count > 0 && (name.StartsWith("Wait", StringComparison.Ordinal) || name == "Release"))
                    {
                        calls.Add(new SemaphoreCall(start, name == "Release", name == "WaitAsync", [.. loads.TakeLast(MostLoads)]));
                    }
                    else if (name.StartsWith(Getter, StringComparison.Ordinal))
                    {
                        loads.Add(operand);
                    }

                    break;
                case ILOpCode.Stfld or ILOpCode.Stsfld or ILOpCode.Pop or ILOpCode.Ret or ILOpCode.Leave or ILOpCode.Leave_s
                    or (>= ILOpCode.Stloc_0 and <= ILOpCode.Stloc_3) or ILOpCode.Stloc_s or (>= ILOpCode.Br_s and <= ILOpCode.Switch):
                    loads.Clear();
                    break;
            }
        }

        return calls;
    }

    /// <summary>True for a method of SemaphoreSlim, which is one of another module.</summary>
    private static bool IsOfSemaphore(int token, MetadataReader names, out string name)
    {
        name = NameOf(token, names);
        return MetadataTokens.EntityHandle(token) is { Kind: HandleKind.MemberReference } reference
            && names.GetMemberReference((MemberReferenceHandle)reference).Parent is { Kind: HandleKind.TypeReference } parent
            && names.GetTypeReference((TypeReferenceHandle)parent) is var type
            && $"{names.GetString(type.Namespace)}.{names.GetString(type.Name)}" == Semaphore;
    }

    private static string NameOf(int token, MetadataReader names)
    {
        EntityHandle handle = MetadataTokens.EntityHandle(token);
        return handle.Kind switch
        {
            HandleKind.FieldDefinition => names.GetString(names.GetFieldDefinition((FieldDefinitionHandle)handle).Name),
            HandleKind.MethodDefinition => names.GetString(names.GetMethodDefinition((MethodDefinitionHandle)handle).Name),
            HandleKind.MemberReference => names.GetString(names.GetMemberReference((MemberReferenceHandle)handle).Name),
            _ => "",
        };
    }

    /// <summary>Where the semaphore of a turn lies: a property has the field that compilers make for it.</summary>
    private static SemaphoreTurn Name(int load, MetadataReader names)
    {
        string? name = load <= Local ? null : NameOf(load, names);
        bool isStatic = load > Local && MetadataTokens.EntityHandle(load) is { Kind: HandleKind.FieldDefinition } handle
            && (names.GetFieldDefinition((FieldDefinitionHandle)handle).Attributes & System.Reflection.FieldAttributes.Static) != 0;
        return new SemaphoreTurn(name?.StartsWith(Getter, StringComparison.Ordinal) == true ? $"<{name[Getter.Length..]}>k__BackingField" : name)
        {
            StaticType = isStatic
                ? MetadataTokens.GetToken(names.GetFieldDefinition((FieldDefinitionHandle)MetadataTokens.EntityHandle(load)).GetDeclaringType()) : null,
        };
    }

    /// <summary>Bytes behind an operation (ECMA-335, III.1.9 and the table of VI.C.2), but for <c>switch</c>.</summary>
    private static int SizeOfOperand(ILOpCode operation) => operation switch
    {
        ILOpCode.Ldc_i8 or ILOpCode.Ldc_r8 => 8,
        (>= ILOpCode.Ldarg_s and <= ILOpCode.Stloc_s) or ILOpCode.Ldc_i4_s or (>= ILOpCode.Br_s and <= ILOpCode.Blt_un_s) or ILOpCode.Leave_s
            or ILOpCode.Unaligned or (ILOpCode)0xFE19 => 1,
        >= ILOpCode.Ldarg and <= ILOpCode.Stloc => 2,
        ILOpCode.Ldc_i4 or ILOpCode.Ldc_r4 or ILOpCode.Jmp or ILOpCode.Call or ILOpCode.Calli or (>= ILOpCode.Br and <= ILOpCode.Blt_un)
            or (>= ILOpCode.Callvirt and <= ILOpCode.Isinst) or ILOpCode.Unbox or (>= ILOpCode.Ldfld and <= ILOpCode.Stobj) or ILOpCode.Box or ILOpCode.Newarr
            or ILOpCode.Ldelema or (>= ILOpCode.Ldelem and <= ILOpCode.Unbox_any) or ILOpCode.Refanyval or ILOpCode.Mkrefany or ILOpCode.Ldtoken
            or ILOpCode.Leave or ILOpCode.Ldftn or ILOpCode.Ldvirtftn or ILOpCode.Initobj or ILOpCode.Constrained or ILOpCode.Sizeof => 4,
        _ => 0,
    };

    private sealed record SemaphoreCall(int Offset, bool IsRelease, bool IsAwaited, ImmutableArray<int> Loads);
}

/// <summary>One use of a semaphore as a lock.</summary>
/// <param name="Field">Name of the field that keeps it; null for a variable of the method.</param>
internal readonly record struct SemaphoreTurn(string? Field)
{
    /// <summary>Offset of the call that waits, in the method's intermediate language.</summary>
    public int Wait { get; init; }

    /// <summary>Offset of the last call that releases it before it is waited for again.</summary>
    public int Release { get; init; }

    /// <summary>True where the method awaits its turn; false where the thread waits.</summary>
    public bool IsAwaited { get; init; }

    /// <summary>Metadata token of the type whose static field it is; null for any other field.</summary>
    public int? StaticType { get; init; }
}
