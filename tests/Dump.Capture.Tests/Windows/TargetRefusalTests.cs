using Dump.Capture.Windows;

namespace Dump.Capture.Tests.Windows;

/// <summary>
/// What is said of processes that cannot be looked at. The answers are those that Microsoft documents: protected processes, other sessions and other machines'
/// code are not to be had under Wine.
/// </summary>
public sealed class TargetRefusalTests
{
    private const int AccessDenied = 5;
    private const int InvalidParameter = 87;
    private const int NotEnoughMemory = 8;
    private const ushort X86 = 0x14C;
    private const ushort X64 = 0x8664;
    private const ushort Arm64 = 0xAA64;
    private const uint NoProtection = 0xFFFF_FFFE;
    private const uint AntimalwareLight = 3;

    private static readonly TargetFacts s_ordinary = new()
    {
        Id = 4711,
        Name = "shop.exe",
        EmulatedMachine = 0,
        SystemMachine = X64,
        Protection = NoProtection,
        Session = 1,
        OwnSession = 1,
        IsElevated = false,
    };

    [Fact]
    public void Ordinary_process_is_looked_at() => Assert.Null(TargetRefusal.Of(s_ordinary));

    [Fact]
    public void What_the_system_does_not_tell_refuses_nothing() => Assert.Null(TargetRefusal.Of(new TargetFacts { Id = 4711 }));

    [Fact]
    public void Process_that_is_not_there_is_named() =>
        Assert.Equal("there is no process 4711", TargetRefusal.Of(new TargetFacts { Id = 4711, OpenError = InvalidParameter }));

    [Fact]
    public void Thirty_two_bit_program_gets_another_way() => Assert.Equal(
        "process 4711 (shop.exe) runs 32-bit code; only 64-bit x64 processes are read; write a dump: procdump -ma 4711, then dumpanalyze FILE",
        TargetRefusal.Of(s_ordinary with { EmulatedMachine = X86 }));

    [Theory]
    [InlineData(0, Arm64)]
    [InlineData(X64, Arm64)]
    public void Other_machine_gets_another_way(int program, int system) => Assert.Equal(
        "process 4711 (shop.exe): live processes are read on x64 only; write a dump: procdump -ma 4711, then dumpanalyze FILE",
        TargetRefusal.Of(s_ordinary with { EmulatedMachine = (ushort)program, SystemMachine = (ushort)system }));

    [Fact]
    public void Protected_process_is_called_so() => Assert.Equal(
        "process 4711 (shop.exe) may not be read: "
            + "Windows protects it from all other programs, also from administrators'; only a debugger of the kernel sees it",
        TargetRefusal.Of(s_ordinary with { OpenError = AccessDenied, Protection = AntimalwareLight, IsElevated = true }));

    [Theory]
    [InlineData(1u, false, "run dumpanalyze as administrator, or as its user")]
    [InlineData(1u, null, "run dumpanalyze as administrator, or as its user")]
    [InlineData(1u, true, "an administrator may not either, so run dumpanalyze as its user, or as SYSTEM (psexec -s)")]
    [InlineData(0u, false, "it runs in session 0, this program in session 1; run dumpanalyze as administrator, or there")]
    [InlineData(0u, true,
        "it runs in session 0, this program in session 1; an administrator may not either, so run dumpanalyze there, or as SYSTEM (psexec -s)")]
    public void Missing_rights_say_what_gives_them(uint session, bool? isElevated, string expected) => Assert.Equal(
        $"process 4711 (shop.exe) may not be read: {expected}",
        TargetRefusal.Of(s_ordinary with { OpenError = AccessDenied, Session = session, IsElevated = isElevated }));

    [Fact]
    public void Other_session_with_the_rights_is_looked_at() => Assert.Null(TargetRefusal.Of(s_ordinary with { Session = 0 }));

    [Fact]
    public void Other_error_keeps_its_number() => Assert.Contains(
        "cannot be opened: ", TargetRefusal.Of(s_ordinary with { OpenError = NotEnoughMemory }), StringComparison.Ordinal);
}
