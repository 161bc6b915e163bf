import { readFileSync } from 'node:fs';

/**
 * Reads the type descriptions that a Go program carries for its `reflect` package (internal/abi/type.go of Go 1.26,
 * 64 bits, little endian): the structs of Kubernetes with their fields in order, their Go types and their tags.
 */
export interface GoField {
  readonly name: string;
  readonly tag: string;
  readonly isEmbedded: boolean;
  readonly type: GoType;
}

export interface GoType {
  /** As Go prints it: `v1.Pod`, `[]v1.Container`, `map[string]string`, `*int32`. */
  readonly text: string;
  readonly kind: string;
  readonly pkg: string;
  readonly elem?: GoType;
  readonly fields?: readonly GoField[];
}

const KINDS: Readonly<Record<number, string>> = {
  ...{ 1: 'bool', 2: 'int', 3: 'int8', 4: 'int16', 5: 'int32', 6: 'int64', 7: 'uint', 8: 'uint8', 9: 'uint16' },
  ...{ 10: 'uint32', 11: 'uint64', 13: 'float32', 14: 'float64', 17: 'array', 18: 'chan', 19: 'func' },
  ...{ 20: 'interface', 21: 'map', 22: 'ptr', 23: 'slice', 24: 'string', 25: 'struct' },
};

const FLAG_UNCOMMON = 1;
const FLAG_EXTRA_STAR = 2;
const TYPE_SIZE = 48;

interface Section {
  readonly address: number;
  readonly offset: number;
  readonly size: number;
}

export class GoProgram {
  private readonly bytes: Buffer;
  private readonly sections = new Map<string, Section>();
  private readonly types = new Map<number, GoType>();
  private readonly typesStart: number;

  constructor(path: string) {
    this.bytes = readFileSync(path);
    this.readSections();
    this.typesStart = this.findTypesStart();
  }

  /** The struct types that the program lists, and those that they point to. */
  structs(): GoType[] {
    for (const address of this.linkedTypes()) this.typeAt(address);
    return [...this.types.values()].filter((type) => type.kind === 'struct');
  }

  private readSections(): void {
    const { bytes } = this;
    const start = this.u64(40);
    const [entrySize, count, namesIndex] = [58, 60, 62].map((at) => bytes.readUInt16LE(at)) as [number, number, number];
    const namesOffset = this.u64(start + namesIndex * entrySize + 24);
    for (let i = 0; i < count; i++) {
      const at = start + i * entrySize;
      const nameAt = namesOffset + bytes.readUInt32LE(at);
      const name = bytes.toString('utf8', nameAt, bytes.indexOf(0, nameAt));
      this.sections.set(name, { address: this.u64(at + 16), offset: this.u64(at + 24), size: this.u64(at + 32) });
    }
  }

  private section(name: string): Section {
    const section = this.sections.get(name);
    if (section === undefined) throw new Error(`the program has no section ${name}`);
    return section;
  }

  /** The start of the types is one of the addresses in the module data: the one from which the first link fits. */
  private findTypesStart(): number {
    const module = this.section('.go.module');
    const rodata = this.section('.rodata');
    const first = this.bytes.readInt32LE(this.section('.typelink').offset);
    for (let at = module.offset; at < module.offset + module.size; at += 8) {
      const address = this.u64(at);
      if (address < rodata.address || address >= rodata.address + rodata.size - first) continue;
      if (KINDS[this.bytes[this.fileOffset(address + first) + 23] ?? 0] === undefined) continue;
      const text = this.tryText(address, address + first);
      if (text?.startsWith('*')) return address;
    }
    throw new Error('the types of the program were not found');
  }

  private tryText(typesStart: number, address: number): string | undefined {
    const nameAt = typesStart + this.bytes.readInt32LE(this.fileOffset(address) + 40);
    const { rodata } = { rodata: this.section('.rodata') };
    if (nameAt < rodata.address || nameAt >= rodata.address + rodata.size) return undefined;
    const text = this.nameAt(nameAt).name;
    return /^[\x20-\x7e]+$/.test(text) ? text : undefined;
  }

  private linkedTypes(): number[] {
    const { offset, size } = this.section('.typelink');
    return Array.from({ length: size / 4 }, (_, i) => this.typesStart + this.bytes.readInt32LE(offset + i * 4));
  }

  private typeAt(address: number): GoType {
    const known = this.types.get(address);
    if (known !== undefined) return known;
    const at = this.fileOffset(address);
    const flags = this.bytes[at + 20] ?? 0;
    const kind = KINDS[(this.bytes[at + 23] ?? 0) & 31] ?? 'other';
    const name = this.nameAt(this.typesStart + this.bytes.readInt32LE(at + 40)).name;
    const text = flags & FLAG_EXTRA_STAR ? name.slice(1) : name;
    const type: { -readonly [K in keyof GoType]: GoType[K] } = { text, kind, pkg: '' };
    this.types.set(address, type);
    if (kind === 'slice' || kind === 'ptr' || kind === 'array') type.elem = this.typeAt(this.u64(at + TYPE_SIZE));
    if (kind === 'map') type.elem = this.typeAt(this.u64(at + TYPE_SIZE + 8));
    if (kind === 'struct') {
      type.fields = this.fieldsAt(at);
      if (flags & FLAG_UNCOMMON) {
        type.pkg = this.nameAt(this.typesStart + this.bytes.readInt32LE(at + TYPE_SIZE + 32)).name;
      }
    }
    return type;
  }

  private fieldsAt(at: number): GoField[] {
    const start = this.fileOffset(this.u64(at + TYPE_SIZE + 8));
    const count = this.u64(at + TYPE_SIZE + 16);
    return Array.from({ length: count }, (_, i) => {
      const field = start + i * 24;
      return { ...this.nameAt(this.u64(field)), type: this.typeAt(this.u64(field + 8)) };
    });
  }

  private nameAt(address: number): { name: string; tag: string; isEmbedded: boolean } {
    let at = this.fileOffset(address);
    const flags = this.bytes[at++] ?? 0;
    const text = (): string => {
      let length = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = this.bytes[at++] ?? 0;
        length |= (byte & 127) << shift;
        if (byte < 128) break;
      }
      at += length;
      return this.bytes.toString('utf8', at - length, at);
    };
    const name = text();
    return { name, tag: flags & 2 ? text() : '', isEmbedded: (flags & 8) !== 0 };
  }

  private fileOffset(address: number): number {
    for (const { address: start, offset, size } of this.sections.values()) {
      if (start !== 0 && address >= start && address < start + size) return offset + address - start;
    }
    throw new Error(`address ${address.toString(16)} is in no section`);
  }

  private u64(offset: number): number {
    return Number(this.bytes.readBigUInt64LE(offset));
  }
}
