using Dump.Readers.Unwinding.Arm64;

namespace Dump.Readers.Tests.Unwinding.Arm64;

/// <summary>Every unwind code, as the tables of Microsoft's "ARM64 exception handling" documentation and of the .NET runtime's unwinder give it.</summary>
public sealed class Arm64UnwindCodeTests
{
    public static TheoryData<string, string> Codes => new()
    {
        { "1F", "Allocate 1: 496" },
        { "2A", "SaveGeneral 1: x19 2 at 0, 80" },
        { "44", "SaveGeneral 1: x29 2 at 32, 0" },
        { "83", "SaveGeneral 1: x29 2 at 0, 32" },
        { "C7 FF", "Allocate 2: 32752" },
        { "C8 82", "SaveGeneral 2: x21 2 at 16, 0" },
        { "CA 08", "SaveGeneral 2: x27 2 at 64, 0" },
        { "CC 19", "SaveGeneral 2: x19 2 at 0, 208" },
        { "D2 C7", "SaveGeneral 2: x30 1 at 56, 0" },
        { "D4 03", "SaveGeneral 2: x19 1 at 0, 32" },
        { "D5 65", "SaveGeneral 2: x30 1 at 0, 48" },
        { "D6 C2", "SaveWithLink 2: x25 1 at 16, 0" },
        { "D7 01", "SaveWithLink 2: x27 1 at 8, 0" },
        { "D8 0A", "SaveVector 2: 2 at 0, 0" },
        { "DA 03", "SaveVector 2: 2 at 0, 32" },
        { "DC 43", "SaveVector 2: 1 at 0, 0" },
        { "DE 23", "SaveVector 2: 1 at 0, 32" },
        { "E0 00 08 CA", "Allocate 4: 36000" },
        { "E1", "SetFramePointer 1: 0" },
        { "E2 07", "SetFramePointer 2: 56" },
        { "E3", "Nothing 1" },
        { "E4", "End 1" },
        { "E5", "EndChained 1" },
        { "E6", "SaveNext 1" },
        { "E7 40 04", "SaveGeneral 3: x0 2 at 64, 0" },
        { "E7 05 04", "SaveGeneral 3: x5 1 at 32, 0" },
        { "E7 62 01", "SaveGeneral 3: x2 2 at 0, 32" },
        { "E7 29 C1", "Unknown 1" },
        { "E7 68 81", "SaveVector 3: 2 at 0, 32" },
        { "E7 88 01", "Unknown 1" },
        { "E8", "TrapFrame 1" },
        { "E9", "MachineFrame 1" },
        { "EA", "Context 1" },
        { "EB", "Unknown 1" },
        { "EC", "ClearUnwoundToCall 1" },
        { "F0", "Unknown 1" },
        { "F8 00", "Nothing 2" },
        { "FB 00 00 00 00", "Nothing 5" },
        { "FC", "SignReturnAddress 1" },
        { "FF", "Nothing 1" },
        { "DF 00", "Unknown 1" },
        { "E0 00", "Unknown 1" },
        { "C8", "Unknown 1" },
        { "FB 00 00 00", "Unknown 1" },
        { "F8", "Unknown 1" },
        { "", "Unknown 1" },
    };

    [Theory]
    [MemberData(nameof(Codes))]
    public void Code_is_decoded(string bytes, string expected)
    {
        Arm64UnwindCode code = Arm64UnwindCode.Decode(Convert.FromHexString(bytes.Replace(" ", "", StringComparison.Ordinal)));
        string text = $"{code.Operation} {code.Size}" + code.Operation switch
        {
            Arm64UnwindOperation.Allocate => $": {code.Allocation}",
            Arm64UnwindOperation.SetFramePointer => $": {code.Offset}",
            Arm64UnwindOperation.SaveGeneral or Arm64UnwindOperation.SaveWithLink => $": x{code.Register} {code.Count} at {code.Offset}, {code.Allocation}",
            Arm64UnwindOperation.SaveVector => $": {code.Count} at {code.Offset}, {code.Allocation}",
            _ => "",
        };
        Assert.Equal(expected, text);
    }

    /// <summary>
    /// Examples of the documentation (0x416101ed) and of the runtime's source (all registers, arguments and a signed return address). The largest allocation is
    /// one of 4080 bytes here, as documented, and the rest; the source has one code for both.
    /// </summary>
    [Theory]
    [InlineData(0x4161_01EDu, "E1 40 C0 81 D4 01 E4", "40 C0 81 D4 01 E4")]
    [InlineData(
        0xFA5A_E029u,
        "E1 40 C0 E8 C0 FF E3 E3 E3 E3 D9 90 D9 0E D8 8C D8 0A CA 08 C9 86 C9 04 C8 82 CC 19 FC E4",
        "40 C0 E8 C0 FF D9 90 D9 0E D8 8C D8 0A CA 08 C9 86 C9 04 C8 82 CC 19 FC E4")]
    [InlineData(0x0221_0029u, "03 D6 00 01 E4", "03 D6 00 01 E4")]
    [InlineData(0x0123_0029u, "D6 42 CC 03 E4", "D6 42 CC 03 E4")]
    public void Packed_data_stand_for_codes(uint data, string prolog, string epilog)
    {
        Arm64UnwindInfo info = Arm64PackedUnwind.Expand(data)!;
        Assert.Equal(prolog + " " + epilog, string.Join(' ', info.Codes.Select(b => b.ToString("X2", null))));
        Assert.Equal(prolog.Split(' ').Length, info.Epilog?.CodeIndex ?? prolog.Split(' ').Length);
    }

    [Theory]
    [InlineData(0x416B_01EDu)]
    [InlineData(0x0061_E029u)]
    public void Packed_data_that_contradict_themselves_are_refused(uint data) => Assert.Null(Arm64PackedUnwind.Expand(data));
}
