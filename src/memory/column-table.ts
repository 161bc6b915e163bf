import type { SharedMemory } from './shared-memory.ts';

/** The element types that kernels read. */
interface Views {
  u8: Uint8Array<SharedArrayBuffer>;
  u16: Uint16Array<SharedArrayBuffer>;
  i16: Int16Array<SharedArrayBuffer>;
  i32: Int32Array<SharedArrayBuffer>;
  f64: Float64Array<SharedArrayBuffer>;
}

export type ElementType = keyof Views;

const ELEMENT_BYTES: Readonly<Record<ElementType, number>> = { u8: 1, u16: 2, i16: 2, i32: 4, f64: 8 };

const VIEW: { readonly [T in ElementType]: (buffer: SharedArrayBuffer, pointer: number, rows: number) => Views[T] } = {
  u8: (buffer, pointer, rows) => new Uint8Array(buffer, pointer, rows),
  u16: (buffer, pointer, rows) => new Uint16Array(buffer, pointer, rows),
  i16: (buffer, pointer, rows) => new Int16Array(buffer, pointer, rows),
  i32: (buffer, pointer, rows) => new Int32Array(buffer, pointer, rows),
  f64: (buffer, pointer, rows) => new Float64Array(buffer, pointer, rows),
};

/**
 * A column with one value per row. `pointer` and `values` are replaced when the table grows, so they must be read anew
 * after a call that may add rows or columns.
 */
export class Column<T extends ElementType = ElementType> {
  readonly type: T;
  /** The value of rows that were not written yet. */
  readonly initial: number;
  /** The subject of the column, for error messages. */
  readonly owner: string;
  pointer = 0;
  values!: Views[T];

  constructor(type: T, owner: string, initial: number) {
    this.type = type;
    this.owner = `column ${owner}`;
    this.initial = initial;
  }
}

const SMALLEST_CAPACITY = 64;

/** Columns of equal length in shared memory: a structure of arrays. All columns grow at once, by doubling. */
export class ColumnTable {
  readonly #memory: SharedMemory;
  readonly #columns = new Set<Column>();
  #capacity = SMALLEST_CAPACITY;
  /** A number that changes when a column has moved. */
  version = 0;

  constructor(memory: SharedMemory) {
    this.#memory = memory;
  }

  /** The number of rows for which every column has room. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Adds a column with `initial` in every row. */
  add<T extends ElementType>(type: T, owner = '', initial = 0): Column<T> {
    const column = new Column(type, owner, initial);
    this.#point(column, this.#allocate(column, this.#capacity));
    if (initial !== 0) column.values.fill(initial);
    this.#columns.add(column);
    return column;
  }

  remove(column: Column): void {
    this.#memory.free(column.pointer, byteLength(column.type, this.#capacity));
    this.#columns.delete(column);
  }

  /**
   * Moves the column to other bytes. Its old bytes are never freed, because a thread that cannot be stopped may still
   * write there. Throws OutOfMemoryError with nothing changed.
   */
  relocate(column: Column): void {
    const { values } = column;
    this.#point(column, this.#allocate(column, this.#capacity));
    column.values.set(values);
    this.version++;
  }

  /** Makes room for `rows` rows. Throws OutOfMemoryError with nothing changed. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    let capacity = this.#capacity;
    while (capacity < rows) capacity *= 2;
    const pointers = this.#allocateAll(capacity);
    for (const [column, pointer] of pointers) {
      const { pointer: oldPointer, values } = column;
      this.#point(column, pointer, capacity);
      column.values.set(values);
      if (column.initial !== 0) column.values.fill(column.initial, this.#capacity);
      this.#memory.free(oldPointer, byteLength(column.type, this.#capacity));
    }
    this.#capacity = capacity;
    this.version++;
  }

  #allocateAll(capacity: number): Map<Column, number> {
    const pointers = new Map<Column, number>();
    try {
      for (const column of this.#columns) pointers.set(column, this.#allocate(column, capacity));
    } catch (error) {
      for (const [column, pointer] of pointers) this.#memory.free(pointer, byteLength(column.type, capacity));
      throw error;
    }
    return pointers;
  }

  #allocate({ type, owner }: Column, rows: number): number {
    return this.#memory.allocate(byteLength(type, rows), owner);
  }

  #point<T extends ElementType>(column: Column<T>, pointer: number, rows = this.#capacity): void {
    column.pointer = pointer;
    column.values = VIEW[column.type](this.#memory.memory.buffer, pointer, rows);
  }
}

function byteLength(type: ElementType, rows: number): number {
  return ELEMENT_BYTES[type] * rows;
}
