using Dump.Readers.Pe;
using Dump.Readers.Tests.Unwinding;

namespace Dump.Readers.Tests.Pe;

/// <summary>Tables of an image in memory.</summary>
public sealed class PeImageTests
{
    private const ulong Base = HandBuiltProcess.Base;
    private const int Forwarder = ImageTables.ExportDirectory + 0x300;

    [Fact]
    public void Exports_are_found_by_name_and_by_exact_address()
    {
        // The order of names is not that of addresses: the table of ordinals connects them.
        PeImage image = Image(p => p.Exports(("Alpha", 2, 0x1200), ("Beta", 0, 0x1100)));
        Assert.Equal(new PeExport("Alpha", ImageTables.OrdinalBase + 2, 0x1200, false), image.FindExport("Alpha"));
        Assert.Equal(new PeExport("Beta", ImageTables.OrdinalBase, 0x1100, false), image.FindExport("Beta"));
        Assert.Equal("Alpha", image.FindExport(0x1200u)?.Name);
        Assert.Null(image.FindExport("alpha"));
        Assert.Null(image.FindExport("Gamma"));
        Assert.Null(image.FindExport(0x1201u));
        Assert.Equal("Beta", image.FindExportAtOrBelow(0x11FF)?.Name);
        Assert.Null(image.FindExportAtOrBelow(0x10FF));
        Assert.True(image.ExportsAreComplete);
    }

    [Fact]
    public void A_forwarder_has_a_name_and_no_address()
    {
        PeImage image = Image(p => p.Exports(("Alpha", 0, 0x1200), ("Sent", 1, Forwarder)));
        Assert.True(image.FindExport("Sent")?.IsForwarder);
        Assert.Null(image.FindExport((uint)Forwarder));
        Assert.Equal(["Alpha"], image.AddressExports.Select(e => e.Name));
    }

    [Theory]
    [InlineData("ZwWaitForSingleObject", "NtWaitForSingleObject", "NtWaitForSingleObject")]
    [InlineData("Other", "ZwClose", "Other")]
    [InlineData("Beta", "Alpha", "Alpha")]
    public void Of_several_names_for_an_address_the_documented_one_is_taken(string first, string second, string expected) =>
        Assert.Equal(expected, Image(p => p.Exports((first, 0, 0x1200), (second, 1, 0x1200))).FindExport(0x1200u)?.Name);

    [Theory]
    [InlineData(20, -1)]         // four billion functions
    [InlineData(24, -1)]         // four billion names
    [InlineData(24, 0x10001)]    // more names than there are ordinals
    [InlineData(28, 0x7FFFFFF0)] // tables outside of the image
    [InlineData(32, 0x7FFFFFF0)]
    [InlineData(36, 0x7FFFFFF0)]
    public void Damaged_export_tables_are_incomplete(int field, int value)
    {
        PeImage image = Image(p =>
        {
            p.Exports(("Alpha", 0, 0x1200));
            p.Write(ImageTables.ExportDirectory + field, value);
        });
        Assert.False(image.ExportsAreComplete);
        Assert.Null(image.FindExport("Alpha"));
    }

    [Theory]
    [InlineData("esc\u001b[0m")]
    [InlineData("two words")]
    [InlineData("")]
    public void Names_that_no_linker_writes_are_left_out(string name)
    {
        PeImage image = Image(p => p.Exports(("Alpha", 0, 0x1200), (name, 1, 0x1300)));
        Assert.Equal(["Alpha"], image.AddressExports.Select(e => e.Name));
        Assert.False(image.ExportsAreComplete);
    }

    [Theory]
    [InlineData(0x1234, 0x1234u)]
    [InlineData(0, null)]
    public void Entry_point_is_that_of_the_header(int value, uint? expected) => Assert.Equal(expected, Image(p => p.EntryPoint(value)).EntryPoint);

    [Fact]
    public void Tls_callbacks_are_those_before_the_first_zero() =>
        Assert.Equal([0x1100u, 0x1200u], Image(p => p.TlsCallbacks(Base + 0x1100, Base + 0x1200, 0, Base + 0x1300)).TlsCallbacks);

    [Theory]
    [InlineData(Base - 1)]
    [InlineData(Base + 0x3000)]
    [InlineData(ulong.MaxValue)]
    public void Tls_callbacks_outside_of_the_image_end_the_table(ulong outside) =>
        Assert.Equal([0x1100u], Image(p => p.TlsCallbacks(Base + 0x1100, outside, Base + 0x1200)).TlsCallbacks);

    [Fact]
    public void Tls_callbacks_are_capped() =>
        Assert.Equal(256, Image(p => p.TlsCallbacks([.. Enumerable.Repeat(Base + 0x1100, 280)])).TlsCallbacks.Count);

    [Fact]
    public void Functions_are_found_by_the_entry_that_covers_them()
    {
        PeImage image = Image(p =>
        {
            p.Function(0x1100, 0x1180, 0x600);
            p.Function(0x1200, 0x1280, 0x620);
        });
        Assert.Equal(FunctionLookup.Found, image.LookUpFunction(0x117F, out RuntimeFunction function));
        Assert.Equal(new RuntimeFunction(0x1100, 0x1180, 0x600), function);
        Assert.Equal(FunctionLookup.NoEntry, image.LookUpFunction(0x1180, out _));
        Assert.Equal(FunctionLookup.NoEntry, image.LookUpFunction(0x10FF, out _));
        Assert.Equal(0x1200u, image.FindFunction(0x1200)?.Begin);
        Assert.True(image.AreInSameGap(0x1180, 0x11FF));
        Assert.False(image.AreInSameGap(0x1180, 0x1280));
        Assert.False(image.AreInSameGap(0x1100, 0x1180));
    }

    [Fact]
    public void A_function_table_that_does_not_fit_the_image_is_unreadable() =>
        Assert.Equal(FunctionLookup.Unreadable, Image(p => p.Write(0x98 + 112 + 3 * 8 + 4, 0x7FFFFFFF)).LookUpFunction(0x1100, out _));

    private static PeImage Image(Action<HandBuiltProcess> write)
    {
        HandBuiltProcess process = new();
        write(process);
        return Assert.IsType<PeImage>(new PeImages(process, process).Find(process.Modules[0]));
    }
}
