using System.Reflection;
using System.Runtime.CompilerServices;
using Dump.Readers.Registers;

namespace Dump.Readers.Tests.Registers;

/// <summary>
/// Registers lie in inline arrays. The default equality of a struct refuses those in machine code compiled ahead of time, so whoever compared a record with
/// registers in it crashed the archive's program alone.
/// </summary>
public sealed class ComparedRegistersTests
{
    public static TheoryData<Type> Holders =>
    [
        .. typeof(X64Registers).Assembly.GetTypes().Where(t => t.IsValueType && !t.IsDefined(typeof(InlineArrayAttribute))
            && t.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic).Any(f => f.FieldType.IsDefined(typeof(InlineArrayAttribute)))),
    ];

    [Theory]
    [MemberData(nameof(Holders))]
    public void What_holds_an_inline_array_compares_itself(Type holder)
    {
        Assert.Equal(holder, holder.GetMethod(nameof(Equals), [typeof(object)])!.DeclaringType);
        Assert.Equal(holder, holder.GetMethod(nameof(GetHashCode), [])!.DeclaringType);
    }

    [Fact]
    public void Every_register_counts()
    {
        X64Registers wide = new() { Rip = 1 };
        Arm64Registers arm = new() { Pc = 1 };
        X86Registers narrow = new() { Eip = 1 };
        (X64Registers sameWide, Arm64Registers sameArm, X86Registers sameNarrow) = (wide, arm, narrow);
        Assert.Equal((sameWide, sameArm, sameNarrow), (wide, arm, narrow));
        sameWide[X64Register.R15] = 2;
        sameArm[30] = 2;
        sameNarrow[X86Register.Edi] = 0;
        Assert.NotEqual(sameWide, wide);
        Assert.NotEqual(sameArm, arm);
        Assert.NotEqual(sameNarrow, narrow);
    }
}
