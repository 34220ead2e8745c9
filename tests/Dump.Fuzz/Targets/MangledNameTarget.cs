using System.Text;
using Dump.Analysis.Names;
using Dump.Fuzz.Oracles;
using Dump.Model.Mangling;
using Dump.Readers.Symbols.Pdb;

namespace Dump.Fuzz.Targets;

/// <summary>Names of linkers, C++ and Rust: sound ones with other letters, pieces of others, or letters at random behind a beginning.</summary>
internal sealed class MangledNameTarget : FuzzTarget
{
    private const int LongestResult = 1_024;
    private const int LongestFullResult = 200_000;
    private const int LongestName = 5_000;
    private const string Letters = "NSTIJEKRPOFAMDCLXZUBVQ_sabcdiltvwx0123456789$.nprfo";
    private static readonly string[] s_starts = ["_Z", "_ZN", "_R", "_RIN", "_Z1fI", "_ZZ1fI", "_ZZ1fvENKUl", "_Z1fIX", "?", "??$f@", "_ZNKSt", "_RNvXs_"];
    private readonly string[] _sound;

    private MangledNameTarget(string name, string what, params string[] sound)
        : base(name, what) => _sound = sound;

    /// <summary>Names of C++, by the Itanium ABI and of Microsoft's compilers.</summary>
    public static MangledNameTarget OfCpp() => new("names-cpp", "names of C++ functions (Itanium ABI, Microsoft's)",
        "_ZNSt8_Rb_treeINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESt4pairIKS5_iESt10_Select1stIS8_ESt4lessIS5_ESaIS8_EE4findERS7_",
        "_ZZ3runIJilEEvDpT_ENKUlT_T0_E_clIicEEDaS2_S3_",
        "_ZZ1gIJLi1ELi2EEEvP1IIXfrplT_EEENKUlvE_clEv",
        "_ZZ1gIiEvT_DTcl4testfp_Li1EEEENKUlvE_clEv",
        "_ZN5OrdercvPT_IiEEv",
        "_Z1fIPFPFivEcEEvT_",
        "_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE.llvm.1234",
        "?Push@Queue@@QEAAXH@Z",
        "??$make@V?$vector@HV?$allocator@H@std@@@std@@@@YAXAEAV?$vector@HV?$allocator@H@std@@@std@@@Z");

    /// <summary>Names of Rust, of both schemes.</summary>
    public static MangledNameTarget OfRust() => new("names-rust", "names of Rust functions (both schemes)",
        "_RINvC4shop1fDG_INtC4core2FnTRL0_eEEp6OutputhEL_E",
        "_RNvXNtCs1234_4shop5queueNtB2_5QueueNtB4_4Sell4sell",
        "_RNvC4shopu8gdel_5qa",
        "_RINvC1a1fINtC1a1TL_L_EB7_B7_E",
        "_RNCNvMs0_NtCsabc_4core6optionINtB5_6OptionjE3map0",
        "_RINvNtC3std3mem8align_ofNtNtC3std4sync5MutexE",
        "_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE.llvm.1234");

    /// <inheritdoc/>
    public override byte[] Input(Random random)
    {
        if (random.Next(4) == 0)
        {
            return Encoding.UTF8.GetBytes(s_starts[random.Next(s_starts.Length)] + Noise(1 + random.Next(1 << random.Next(1, 11)), random));
        }

        StringBuilder name = new(_sound[random.Next(_sound.Length)]);
        for (int change = random.Next(8); change >= 0 && name.Length > 2; change--)
        {
            Change(name, random);
        }

        return Encoding.UTF8.GetBytes(name.ToString(0, Math.Min(name.Length, LongestName)));
    }

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        string name = Encoding.UTF8.GetString(input);
        string? readable = Check(name);
        return readable is null ? "none" : new string([.. readable.Where(c => !char.IsLetterOrDigit(c))]);
    }

    // The longest names have 200,000 characters, put together in several steps.
    /// <inheritdoc/>
    public override long MostAllocated(int length) => (16L << 20) + 64L * length;

    /// <summary>Fails when a name gives one that is too long; null when it gives none.</summary>
    public static string? Check(string name)
    {
        string? readable = MangledNames.Readable(name);
        Oracle.Holds(readable is null or { Length: > 0 and <= LongestResult }, name);
        Oracle.Holds(MangledNames.Readable(name, int.MaxValue) is null or { Length: > 0 and <= LongestFullResult }, name);
        Oracle.IsHarmless(readable);
        _ = FunctionNames.Normal(name);
        _ = DecoratedName.Simplify(name);
        return readable;
    }

    private void Change(StringBuilder name, Random random)
    {
        int at = random.Next(2, name.Length);
        switch (random.Next(7))
        {
            case 0:
                name[at] = Letters[random.Next(Letters.Length)];
                break;
            case 1:
                name.Remove(at, Math.Min(1 + random.Next(3), name.Length - at));
                break;
            case 2:
                name.Insert(at, Letters[random.Next(Letters.Length)]);
                break;
            case 3:
                // A piece many times: what nests, lists and refers back.
                string piece = name.ToString(at, Math.Min(1 + random.Next(12), name.Length - at));
                name.Insert(at, string.Concat(Enumerable.Repeat(piece, 1 << random.Next(9))));
                break;
            case 4:
                name.Insert(at, Noise(1 + random.Next(6), random));
                break;
            case 5:
                name.Insert(at, random.NextInt64(1L << random.Next(1, 62)));
                break;
            default:
                string other = _sound[random.Next(_sound.Length)];
                name.Insert(at, other[random.Next(other.Length)..]);
                break;
        }
    }

    private static string Noise(int length, Random random) => string.Create(length, random, (letters, source) =>
    {
        for (int i = 0; i < letters.Length; i++)
        {
            letters[i] = Letters[source.Next(Letters.Length)];
        }
    });
}
