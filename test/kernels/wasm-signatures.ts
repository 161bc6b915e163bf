/** The function types of a WebAssembly module, read from its bytes, since JavaScript has no API for them. */

const SECTION = { type: 1, import: 2, function: 3, export: 7 };
const FUNCTION_KIND = 0;
const VALUE_TYPES: Readonly<Record<number, string>> = { 127: 'i32', 126: 'i64', 125: 'f32', 124: 'f64', 123: 'v128' };

export interface WasmSignature {
  readonly parameters: readonly string[];
  readonly results: readonly string[];
}

/** Bytes of a module from a position on. */
class Reader {
  readonly #bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position: number) {
    this.#bytes = bytes;
    this.position = position;
  }

  byte(): number {
    return this.#bytes[this.position++] as number;
  }

  /** LEB128. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  list<T>(element: () => T): T[] {
    return Array.from({ length: this.number() }, element);
  }

  text(): string {
    const length = this.number();
    this.position += length;
    return new TextDecoder().decode(this.#bytes.subarray(this.position - length, this.position));
  }
}

/** Section bodies by id: [start, end). A module is eight bytes of header, then sections: id, size, that many bytes. */
export function sectionsOf(bytes: Uint8Array): ReadonlyMap<number, readonly [start: number, end: number]> {
  const sections = new Map<number, readonly [number, number]>();
  const reader = new Reader(bytes, 8);
  while (reader.position < bytes.length) {
    const id = reader.byte();
    const size = reader.number();
    sections.set(id, [reader.position, reader.position + size]);
    reader.position += size;
  }
  if (reader.position !== bytes.length) throw new Error('the last section is longer than the module');
  return sections;
}

/** The function types of a module by exported name. */
export function wasmSignatures(bytes: Uint8Array): Readonly<Record<string, WasmSignature>> {
  const sections = sectionsOf(bytes);
  const at = (id: number): Reader => new Reader(bytes, sections.get(id)?.[0] ?? bytes.length);
  const types = at(SECTION.type);
  const signatures = types.list((): WasmSignature => {
    types.byte();
    const values = () => types.list(() => VALUE_TYPES[types.byte()] ?? 'another type');
    return { parameters: values(), results: values() };
  });
  const functions = at(SECTION.function);
  const typeIndexes = functions.list(() => functions.number());
  const imported = WebAssembly.Module.imports(new WebAssembly.Module(bytes as Uint8Array<ArrayBuffer>));
  const importedFunctions = imported.filter(({ kind }) => kind === 'function').length;
  const names = at(SECTION.export);
  const exported = names.list(() => [names.text(), names.byte(), names.number()] as const);
  return Object.fromEntries(
    exported
      .filter(([, kind]) => kind === FUNCTION_KIND)
      .map(([name, , index]) => [name, signatures[typeIndexes[index - importedFunctions] ?? -1] as WasmSignature]),
  );
}
