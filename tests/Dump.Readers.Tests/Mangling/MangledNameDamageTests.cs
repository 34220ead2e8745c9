using Dump.Analysis.Names;
using Dump.Fuzz.Targets;
using Dump.Model.Mangling;

namespace Dump.Readers.Tests.Mangling;

/// <summary>Names come from strangers' symbol tables: each gives a name of bounded length or none, whatever it is.</summary>
public sealed class MangledNameDamageTests
{
    private const int LongestName = 4_096;

    private static readonly string[] s_sound =
    [
        "_ZNSt8_Rb_treeINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESt4pairIKS5_iESt10_Select1stIS8_ESt4lessIS5_ESaIS8_EE4findERS7_",
        "_ZZ3runIJilEEvDpT_ENKUlT_T0_E_clIicEEDaS2_S3_",
        "_ZZ1gIJLi1ELi2EEEvP1IIXfrplT_EEENKUlvE_clEv",
        "_ZZ1gIiEvT_DTcl4testfp_Li1EEEENKUlvE_clEv",
        "_ZN5OrdercvPT_IiEEv",
        "_Z1fIPFPFivEcEEvT_",
        "_RINvC4shop1fDG_INtC4core2FnTRL0_eEEp6OutputhEL_E",
        "_RNvXNtCs1234_4shop5queueNtB2_5QueueNtB4_4Sell4sell",
        "_RNvC4shopu8gdel_5qa",
        "_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE.llvm.1234",
        "?Push@Queue@@QEAAXH@Z",
    ];

    [Fact]
    public void Every_beginning_of_a_name_gives_a_name_or_none()
    {
        foreach (string name in s_sound)
        {
            for (int length = 0; length < name.Length; length++)
            {
                Check(name[..length]);
            }
        }
    }

    /// <summary>Each argument is twice the one before it: whole, the text would have more characters than there are atoms.</summary>
    [Fact]
    public void Doubling_substitutions_end()
    {
        System.Text.StringBuilder name = new("_Z1fI1AI1BE");
        for (int i = 0; i < 35; i++)
        {
            string last = i == 0 ? "S0_" : $"S{Base36(i)}_";
            name.Append($"S_I{last}{last}E");
        }

        Check(name.Append("Evv").ToString());
        Check($"_Z1fI{string.Concat(Enumerable.Repeat("1AI1BS_E", 300))}Evv");
    }

    [Fact]
    public void Doubling_references_of_Rust_end()
    {
        // A tuple of what stands before it, twice, thirty times in each other.
        System.Text.StringBuilder name = new("_RINvC1a1fTuuE");
        int last = 9;
        for (int i = 0; i < 30; i++)
        {
            int at = name.Length - 2;
            name.Append($"TB{Base62(last)}B{Base62(last)}E");
            last = at;
        }

        Check(name.Append('E').ToString());
    }

    /// <summary>What follows the type of a conversion operator is read twice.</summary>
    [Fact]
    public void Conversions_in_conversions_end() =>
        Check("_ZN1AcvT_I" + string.Concat(Enumerable.Repeat("N1AcvT_I", 40)) + "i" + string.Concat(Enumerable.Repeat("EE", 40)) + "EEv");

    [Theory]
    [InlineData("P")]
    [InlineData("1AI")]
    [InlineData("F")]
    [InlineData("M1A")]
    [InlineData("KP")]
    [InlineData("A1_")]
    [InlineData("DTad")]
    [InlineData("XplXpl")]
    [InlineData("N")]
    [InlineData("Z1fI")]
    [InlineData("UlZ")]
    [InlineData("TtTt")]
    [InlineData("S")]
    [InlineData("FG_")]
    [InlineData("KS_")]
    public void Depth_is_bounded(string nested)
    {
        // A small stack: deeper ones than the limits would overflow it.
        string deep = string.Concat(Enumerable.Repeat(nested, 4_000 / nested.Length));
        CheckOnSmallStack("_Z1fI" + deep, "_Z1fI" + deep + "iEvv", "_RINvC1a1f" + deep, "_RINvC1a1f" + deep + "uE");
    }

    /// <summary>Letters of internal names, each before the next one.</summary>
    [Theory]
    [InlineData("_Z")]
    [InlineData("_ZN")]
    [InlineData("_ZZ")]
    [InlineData("_ZSt")]
    [InlineData("_Z1fIXon")]
    public void Depth_of_internal_names_is_bounded(string start) => CheckOnSmallStack(start.PadRight(LongestName, 'L'));

    /// <summary>Lifetimes are steps, also those that a list which is too long leaves out: thirty times three thousand are more than a name may take.</summary>
    [Theory]
    [InlineData(1, "a::f::<(...)>")]
    [InlineData(4, "a::f::<(...), (...), (...), (...)>")]
    [InlineData(30, null)]
    public void Lifetimes_are_counted(int times, string? expected)
    {
        string functions = string.Concat(Enumerable.Repeat("TFGMn_EuE", times));
        Assert.Equal(expected, MangledNames.Readable($"_RINvC1a1f{functions}EC3500{new string('a', 3_500)}"));
    }

    /// <summary>As above, of generic arguments: a type that is referred to has twelve hundred of them.</summary>
    [Theory]
    [InlineData(4, "a::f::<a::T<...>, a::T<...>, a::T<...>, a::T<...>, a::T<...>>")]
    [InlineData(100, null)]
    public void Lifetimes_among_arguments_are_counted(int times, string? expected)
    {
        string lifetimes = string.Concat(Enumerable.Repeat("L_", 1_200));
        Assert.Equal(expected, MangledNames.Readable($"_RINvC1a1fINtC1a1T{lifetimes}E{string.Concat(Enumerable.Repeat("B7_", times))}E"));
    }

    /// <summary>Symbol tables of strangers have any bytes in names; lengths in names count bytes, so that such a name cannot be taken apart.</summary>
    [Theory]
    [InlineData("_RNvC1au4😀_b")]
    [InlineData("_RNvC4shopu8g\ufffdel_5qa")]
    [InlineData("_Z1öv")]
    [InlineData("_Z2öv")]
    [InlineData("_ZN4shop1ö17h0123456789abcdefE")]
    [InlineData("?Pü@Queue@@QEAAXH@Z")]
    public void Names_outside_of_ASCII_have_none(string name) => Assert.Null(MangledNames.Readable(name));

    /// <summary>Signatures then have the linker's form.</summary>
    [Theory]
    [InlineData("_RNvC1au4😀_b")]
    [InlineData("_Z2öv")]
    public void Names_outside_of_ASCII_stay_those_of_the_linker(string name) => Assert.Equal(name, FunctionNames.Normal(name));

    /// <summary>Each word is put before those read so far, which counts as no step: thousands of them would be work without a limit.</summary>
    [Theory]
    [InlineData("_ZNVKrKVKrK1A1fEv", null)]
    [InlineData("_ZNrVK1A1fEv", "A::f")]
    [InlineData("_Z1fIKVriEvv", "f<int restrict volatile const>")]
    public void Qualifiers_are_at_most_three(string mangled, string? expected) => Assert.Equal(expected, MangledNames.Readable(mangled));

    [Fact]
    public void Long_names_are_not_read() => Assert.Null(MangledNames.Readable($"_Z5000{new string('a', 5_000)}v"));

    private static void CheckOnSmallStack(params string[] names)
    {
        Exception? failure = null;
        Thread thread = new(() => failure = Record.Exception(() => Array.ForEach(names, Check)), 512 * 1024);
        thread.Start();
        thread.Join();
        Assert.Null(failure);
    }

    private static void Check(string name) => MangledNameTarget.Check(name);

    private static string Base36(int value) => value < 10 ? $"{value}" : $"{(char)('A' + value - 10)}";

    private static string Base62(int value)
    {
        const string Digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        int number = value - 1;
        string text = "";
        for (; number >= 0 && (text.Length == 0 || number > 0); number /= 62)
        {
            text = Digits[number % 62] + text;
            if (number < 62)
            {
                break;
            }
        }

        return text + "_";
    }
}
