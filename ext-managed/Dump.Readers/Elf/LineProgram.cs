using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.Elf;

/// <summary>Executes a line number program row by row. Each byte makes at most one row, so that a program is no longer than its bytes.</summary>
internal ref struct LineProgram
{
    private const int Together = 256;
    private const long NanosecondsOfStep = 50;
    private readonly LineUnit _unit;
    private readonly int _start;
    private DwarfReader _reader;
    private LineRow _row;
    private int _steps;

    /// <summary>Begins where a sequence begins.</summary>
    /// <param name="section">The section.</param>
    /// <param name="unit">The unit.</param>
    /// <param name="position">Where to begin in the section: at the program's beginning, or behind the end of a sequence.</param>
    public LineProgram(byte[] section, LineUnit unit, int position)
        : this(section, unit, position, LineRow.First)
    {
    }

    /// <summary>Goes on behind a row.</summary>
    /// <param name="section">The section.</param>
    /// <param name="unit">The unit.</param>
    /// <param name="position">Where the next instruction stands in the section.</param>
    /// <param name="row">The row.</param>
    public LineProgram(byte[] section, LineUnit unit, int position, LineRow row)
    {
        _unit = unit;
        _start = position;
        _reader = new DwarfReader(section.AsSpan(position, unit.End - position), 0);
        _row = row;
    }

    /// <summary>The row.</summary>
    public readonly LineRow Row => _row;

    /// <summary>True for a row that ends a sequence: its address is behind the last byte of that.</summary>
    public bool IsEnd { get; private set; }

    /// <summary>Where the next instruction stands in the section.</summary>
    public readonly int Position => _start + _reader.Position;

    /// <summary>Goes on to the next row; false at the end, and where the program is not sound.</summary>
    public bool Next()
    {
        if (IsEnd)
        {
            Reset();
        }

        while (!_reader.IsAtEnd)
        {
            if ((++_steps & (Together - 1)) == 0 && !WorkBudget.Take(Together * NanosecondsOfStep))
            {
                return false;
            }

            byte code = _reader.Byte();
            bool isRow = code > _unit.Operands.Length ? Special(code) : code == 0 ? Extended() : Standard(code);
            if (isRow)
            {
                return !_reader.IsBroken;
            }
        }

        return false;
    }

    private void Reset() => (_row, IsEnd) = (LineRow.First, false);

    private bool Special(int code)
    {
        Advance(code);
        _row.Line = unchecked((uint)(_row.Line + _unit.LineBase + (code - _unit.Operands.Length - 1) % _unit.LineRange));
        return true;
    }

    private void Advance(int code) => _row.Address = unchecked(_row.Address + (ulong)((code - _unit.Operands.Length - 1) / _unit.LineRange * _unit.Least));

    private bool Standard(byte code)
    {
        switch (code)
        {
            case LineLayout.Copy:
                return true;
            case LineLayout.AdvanceAddress:
                _row.Address = unchecked(_row.Address + _reader.Unsigned() * _unit.Least);
                return false;
            case LineLayout.AdvanceLine:
                _row.Line = unchecked((uint)(_row.Line + _reader.Signed()));
                return false;
            case LineLayout.SetFile:
                _row.File = _reader.Unsigned();
                return false;
            case LineLayout.SetColumn:
                _row.Column = (uint)Math.Min(_reader.Unsigned(), uint.MaxValue);
                return false;
            case LineLayout.AddConstant:
                Advance(byte.MaxValue);
                return false;
            case LineLayout.FixedAdvance:
                _row.Address = unchecked(_row.Address + _reader.UInt16());
                return false;
        }

        for (int left = _unit.Operands[code - 1]; left > 0 && !_reader.IsAtEnd; left--)
        {
            _reader.Unsigned();
        }

        return false;
    }

    private bool Extended()
    {
        int length = (int)Math.Min(_reader.Unsigned(), int.MaxValue);
        DwarfReader operation = new(_reader.Take(length), 0);
        if (length == 0)
        {
            return false;
        }

        switch (operation.Byte())
        {
            case LineLayout.EndSequence:
                IsEnd = true;
                return true;
            case LineLayout.SetAddress:
                _row.Address = length > sizeof(ulong) ? operation.UInt64() : operation.UInt32();
                return false;
            default:
                return false;
        }
    }
}
