using Dump.Readers.Registers;
using Dump.Readers.Tests.Symbols;
using Dump.Readers.Unwinding.Arm64;

namespace Dump.Readers.Tests.Unwinding.Arm64;

/// <summary>
/// Real ARM64 code with the unwind information that LLVM writes for Windows, executed instruction by instruction along every branch: wherever a thread may
/// stand, in a prolog, the body or an epilog, unwinding gives the registers that the caller had.
/// </summary>
public sealed class Arm64CompiledCodeTests
{
    private const ulong ReturnAddress = 0x7FF7_4444_1230;
    private const ulong Stack = 0x20_0000_0000;

    private const string C = """
        int call(void *); int many(int, ...); double number(double);
        int leaf(int a) { return a * 3 + 1; }
        int small(int a) { int x[10]; x[0] = a; return call(x) + a; }
        int kept(int a, int b, int c, int d, int e) { int x[200]; x[0] = a; int r = call(x) + b; r += call(x + 1) * c; r += call(x + 2) * d; r += many(e, r); return r + a + b + c + d + e; }
        int grows(int n) { int *p = __builtin_alloca(n); p[0] = n; return call(p) + n; }
        double vectors(double a, double b, double c, double d) { double r = number(a) * b; r += number(b) * c; r += number(c) * d; r += number(d) * a; return r + a + b; }
        int big(int a) { int x[9000]; x[3] = a; return call(x) + a; }
        int page(int a) { int x[1100]; x[3] = a; return call(x) + a; }
        int homes(int a, ...) { __builtin_va_list l; __builtin_va_start(l, a); int r = __builtin_va_arg(l, int); __builtin_va_end(l); return call(&r) + a; }
        int returns(int a, int b) { if (a > 5) return 3; int x = a; if (call(&x)) return call(&x) + b; call(&x); if (b == a) return call(&b) + x; return a + x; }
        int loop(int a) { int r = 0; for (int i = 0; i < a; i++) { r += call(&i) * a; if (r & 4) r += call(&r); } return r; }
        int tail(int a) { int x = a; call(&x); return many(x + a); }
        struct s { long long a[8]; }; struct s fill(int);
        struct s passes(int a) { struct s x = fill(a); x.a[1] += call(&x); return x; }
        """;

    public static TheoryData<string> Options => ["-O0", "-O1", "-O2", "-Os", "-O1 -fno-omit-frame-pointer", "-O2 -fno-omit-frame-pointer -mno-red-zone",
        "-O2 -fstack-protector-all"];

    [SkippableTheory]
    [MemberData(nameof(Options))]
    public void Compiled_code_unwinds_wherever_it_stands(string options)
    {
        using Arm64Library library = Arm64Library.Compile(C, options);
        (int checkedPlaces, int packed) = CheckAll(library);
        Assert.InRange(checkedPlaces, 200, int.MaxValue);
        Assert.True(packed > 0 || options.Contains('0', StringComparison.Ordinal) || options.Contains("frame-pointer", StringComparison.Ordinal)
            || options.Contains("protector", StringComparison.Ordinal));
    }

    private static (int Places, int Packed) CheckAll(Arm64Library library)
    {
        int places = 0;
        int packed = 0;
        foreach ((uint begin, uint length, string name, bool isPacked) in library.Functions)
        {
            packed += isPacked ? 1 : 0;
            ulong start = LibraryOnDisk.Base + begin;
            Arm64Machine machine = new(library);
            machine.State.Pc = start;
            machine.State.Sp = Stack;
            for (int i = 0; i < Arm64Registers.Count; i++)
            {
                machine.State[i] = 0x1111_0000UL * (ulong)(i + 1);
            }

            machine.State.Lr = ReturnAddress;
            machine.State[0] = 0x40;
            places += CheckPaths(library, machine, name, start, start + length);
        }

        return (places, packed);
    }

    private static int CheckPaths(Arm64Library library, Arm64Machine entry, string name, ulong begin, ulong end)
    {
        Arm64Registers caller = entry.State;
        HashSet<ulong> seen = [];
        Stack<Arm64Machine> paths = new([entry]);
        while (paths.TryPop(out Arm64Machine? machine))
        {
            while (!machine.HasReturned && seen.Add(machine.State.Pc))
            {
                Arm64FrameUnwinder unwinder = new(library.Images, machine);
                string place = $"{name}+0x{machine.State.Pc - begin:x}";
                CheckCaller(unwinder.Unwind(machine.State, isInnermost: true), caller, place);
                if (machine.HasCalled)
                {
                    CheckCaller(unwinder.Unwind(machine.State, isInnermost: false), caller, place + " behind the call");
                }

                if (machine.Step(begin, end) is { } taken)
                {
                    Arm64Machine other = machine.Fork();
                    other.State.Pc = taken;
                    paths.Push(other);
                }
            }
        }

        return seen.Count;
    }

    private static void CheckCaller(in Arm64UnwoundFrame found, in Arm64Registers expected, string place)
    {
        Arm64Registers caller = found.Caller;
        Assert.True(found.End is null, $"{place}: {found.End}");
        Assert.True(caller.Pc == ReturnAddress && caller.Sp == expected.Sp, $"{place}: pc {caller.Pc:x}, sp {caller.Sp:x} instead of {expected.Sp:x}");
        for (int register = Arm64Registers.FirstNonvolatile; register <= Arm64Registers.FramePointerNumber; register++)
        {
            Assert.True(caller[register] == expected[register], $"{place}: x{register} is {caller[register]:x} instead of {expected[register]:x}");
        }
    }
}
