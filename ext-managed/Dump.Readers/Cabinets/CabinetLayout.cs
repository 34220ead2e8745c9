namespace Dump.Readers.Cabinets;

/// <summary>Offsets of a cabinet file. Source: [MS-CAB] 2, Cabinet File Format.</summary>
internal static class CabinetLayout
{
    /// <summary>"MSCF", little-endian.</summary>
    public const uint Signature = 0x4643_534D;

    /// <summary>Size of CFHEADER without its optional fields.</summary>
    public const int HeaderSize = 36;

    /// <summary>CFHEADER.coffFiles, 32 bits: where the first CFFILE stands.</summary>
    public const int HeaderFiles = 16;

    /// <summary>CFHEADER.cFolders, 16 bits.</summary>
    public const int HeaderFolderCount = 26;

    /// <summary>CFHEADER.cFiles, 16 bits.</summary>
    public const int HeaderFileCount = 28;

    /// <summary>CFHEADER.flags, 16 bits.</summary>
    public const int HeaderFlags = 30;

    /// <summary>Flags: the cabinet is one of several, before it (1) or after it (2) another comes.</summary>
    public const int FlagsOfSeries = 3;

    /// <summary>Flag: sizes of reserved areas follow the header.</summary>
    public const int FlagReserve = 4;

    /// <summary>Size of the sizes of reserved areas: cbCFHeader (16 bits), cbCFFolder, cbCFData (8 bits each).</summary>
    public const int ReserveSize = 4;

    /// <summary>cbCFFolder among the sizes of reserved areas.</summary>
    public const int ReserveFolder = 2;

    /// <summary>cbCFData among the sizes of reserved areas.</summary>
    public const int ReserveData = 3;

    /// <summary>Size of CFFOLDER without its reserved area.</summary>
    public const int FolderSize = 8;

    /// <summary>CFFOLDER.cCFData, 16 bits: count of data blocks.</summary>
    public const int FolderBlocks = 4;

    /// <summary>CFFOLDER.typeCompress, 16 bits.</summary>
    public const int FolderCompression = 6;

    /// <summary>The bits of typeCompress that name the method.</summary>
    public const int CompressionMask = 0xF;

    /// <summary>Method: stored.</summary>
    public const int Stored = 0;

    /// <summary>Method: MSZIP ([MS-MCI]).</summary>
    public const int MsZip = 1;

    /// <summary>Method: Quantum.</summary>
    public const int Quantum = 2;

    /// <summary>Method: LZX.</summary>
    public const int Lzx = 3;

    /// <summary>Size of CFFILE without its name.</summary>
    public const int FileSize = 16;

    /// <summary>CFFILE.uoffFolderStart, 32 bits: where the file begins in the unpacked folder.</summary>
    public const int FileOffset = 4;

    /// <summary>CFFILE.iFolder, 16 bits.</summary>
    public const int FileFolder = 8;

    /// <summary>CFFILE.attribs, 16 bits.</summary>
    public const int FileAttributes = 14;

    /// <summary>Attribute: the name is UTF-8 (_A_NAME_IS_UTF).</summary>
    public const int NameIsUtf8 = 0x80;

    /// <summary>Most bytes of a name, its end included.</summary>
    public const int LongestName = 257;

    /// <summary>Size of CFDATA without its reserved area and data.</summary>
    public const int DataSize = 8;

    /// <summary>CFDATA.cbData, 16 bits: packed bytes. It begins what the checksum covers besides the data.</summary>
    public const int DataPacked = 4;

    /// <summary>CFDATA.cbUncomp, 16 bits: unpacked bytes.</summary>
    public const int DataUnpacked = 6;

    /// <summary>Most unpacked bytes of a block.</summary>
    public const int MostOfBlock = 0x8000;

    /// <summary>Most packed bytes of a block: incompressible data may grow by this much.</summary>
    public const int MostOfPackedBlock = MostOfBlock + 6144;
}
