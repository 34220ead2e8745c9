namespace Dump.Clr.Frames;

/// <summary>
/// Interfaces of the runtime's data-access library: identifiers, and places of methods in their tables, those of IUnknown included. Source: dotnet/runtime,
/// src/coreclr/inc/xclrdata.idl.
/// </summary>
internal static class DataAccessLayout
{
    public static readonly Guid Process = new("5C552AB6-FC09-4CB3-8E36-22FA03C798B7");
    public const int StartEnumMethodInstancesByAddress = 27;
    public const int EnumMethodInstanceByAddress = 28;
    public const int EndEnumMethodInstancesByAddress = 29;

    /// <summary>Of IXCLRDataMethodInstance.</summary>
    public const int GetILOffsetsByAddress = 12;

    /// <summary>Where ClrMD 4.1 keeps the process: it shows the maps of a method's first code only, and not the interface that has those of all.</summary>
    public const string Services = "_services";

    public const string ServiceOfProcess = "Microsoft.Diagnostics.Runtime.DacImplementation.DacRuntime, Microsoft.Diagnostics.Runtime";
    public const string ProcessOfService = "_dac";
}
