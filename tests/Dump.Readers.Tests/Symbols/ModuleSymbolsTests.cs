using Dump.Readers.Pe;
using Dump.Readers.Symbols;
using Dump.Readers.Tests.Pe;
using Dump.Readers.Tests.Unwinding;

namespace Dump.Readers.Tests.Symbols;

/// <summary>A function has a name only when an export begins exactly where the function does; a nearby name would be a wrong one.</summary>
public sealed class ModuleSymbolsTests
{
    private const ulong Base = HandBuiltProcess.Base;

    // mov r10,rcx; mov eax,4; test byte ptr [7FFE0308h],1; jne +3; syscall; ret
    private static readonly byte[] s_stub = [0x4C, 0x8B, 0xD1, 0xB8, 4, 0, 0, 0, 0xF6, 0x04, 0x25, 0x08, 0x03, 0xFE, 0x7F, 0x01, 0x75, 0x03, 0x0F, 0x05, 0xC3];

    [Fact]
    public void A_name_needs_an_export_at_the_functions_start()
    {
        ModuleSymbols symbols = Symbols(p => p.Exports(("Alpha", 0, 0x1200)));
        Assert.Equal(("Alpha", Base + 0x1200), Named(symbols.NameOf(Base + 0x1234, Base + 0x1200)));
        Assert.Null(symbols.NameOf(Base + 0x1234, Base + 0x1210));
        Assert.Null(symbols.NameOf(Base + 0x1234, Base + 0x11FF));
        Assert.Null(symbols.NameOf(Base + 0x1200, Base + 0x1210));
    }

    [Fact]
    public void Without_a_function_start_only_the_exact_address_has_a_name()
    {
        ModuleSymbols symbols = Symbols(p => p.Exports(("Alpha", 0, 0x1200)));
        Assert.Equal(("Alpha", Base + 0x1200), Named(symbols.NameOf(Base + 0x1200, null)));
        Assert.Null(symbols.NameOf(Base + 0x1201, null));
        Assert.Null(symbols.NameOf(Base + 0x5000, null));
        Assert.Null(symbols.NameOf(0x1000, null));
    }

    [Theory]
    [InlineData(0x14, "NtClose")]   // behind the system call
    [InlineData(0x08, "NtClose")]   // inside the stub
    [InlineData(0x1F, "NtClose")]
    [InlineData(0x20, null)]        // behind the longest stub
    public void System_call_stubs_are_named_by_their_form(int offset, string? expected)
    {
        ModuleSymbols symbols = Symbols(p =>
        {
            WithFunctionBehind(p);
            p.Exports(("NtClose", 0, 0x1200));
            p.Code(0x1200, s_stub);
        });
        Assert.Equal(expected, symbols.NameOf(Base + 0x1200 + (ulong)offset, null)?.Name);
    }

    [Fact]
    public void A_stub_whose_beginning_was_patched_is_known_by_its_system_call()
    {
        ModuleSymbols symbols = Symbols(p =>
        {
            WithFunctionBehind(p);
            p.Exports(("NtClose", 0, 0x1200));
            p.Code(0x1200, s_stub);
            p.Code(0x1200, 0xE9, 0, 0, 0, 0);
        });
        Assert.Equal("NtClose", symbols.NameOf(Base + 0x1214, null)?.Name);
        Assert.Null(symbols.NameOf(Base + 0x1213, null));
    }

    [Fact]
    public void Other_code_behind_an_export_is_no_stub()
    {
        ModuleSymbols symbols = Symbols(p =>
        {
            WithFunctionBehind(p);
            p.Exports(("NtClose", 0, 0x1200));
        });
        Assert.Null(symbols.NameOf(Base + 0x1214, null));
    }

    [Fact]
    public void A_function_between_the_export_and_the_address_separates_them()
    {
        ModuleSymbols symbols = Symbols(p =>
        {
            p.Function(0x1208, 0x1210, 0x600);
            p.Exports(("NtClose", 0, 0x1200));
            p.Code(0x1200, s_stub);
        });
        Assert.Null(symbols.NameOf(Base + 0x1214, null));
    }

    [Theory]
    [InlineData("NtClose", 0x14, "NtClose")]
    [InlineData("ZwClose", 0x14, "ZwClose")]
    [InlineData("NtClose", 0x12, null)]
    [InlineData("RtlFail", 0x14, null)]
    public void Where_the_code_is_missing_the_return_address_of_a_stub_is_known_by_its_place(string name, int offset, string? expected)
    {
        HandBuiltProcess process = new();
        WithFunctionBehind(process);
        process.Exports((name, 0, 0x1200));
        WithoutCode memory = new(process);
        Assert.Equal(expected, new ModuleSymbols(new PeImages(memory, process), process).NameOf(Base + 0x1200 + (ulong)offset, null)?.Name);
    }

    [Fact]
    public void Addresses_of_names_are_those_of_exports_with_code()
    {
        ModuleSymbols symbols = Symbols(p => p.Exports(("Alpha", 0, 0x1200), ("Sent", 1, ImageTables.ExportDirectory + 0x300)));
        Assert.Equal(Base + 0x1200, symbols.AddressOf("a", "Alpha"));
        Assert.Null(symbols.AddressOf("a", "Sent"));
        Assert.Null(symbols.AddressOf("a", "alpha"));
        Assert.Null(symbols.AddressOf("b", "Alpha"));
    }

    private static (string, ulong) Named(FunctionName? name) => (name!.Value.Name, name.Value.Start);

    private static void WithFunctionBehind(HandBuiltProcess process) => process.Function(0x1300, 0x1340, 0x600);

    private static ModuleSymbols Symbols(Action<HandBuiltProcess> write)
    {
        HandBuiltProcess process = new();
        write(process);
        return new ModuleSymbols(new PeImages(process, process), process);
    }

    /// <summary>The process without the page at 0x1000.</summary>
    private sealed class WithoutCode(HandBuiltProcess process) : IMemory
    {
        public int Read(ulong address, Span<byte> destination) =>
            address < Base + 0x2000 && address + (ulong)destination.Length > Base + 0x1000 ? 0 : process.Read(address, destination);
    }
}
