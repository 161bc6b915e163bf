import { readDataFile } from '../data-file.ts';

/**
 * The Go types of the Kubernetes API, as `data/api-types.json` lists them. What the API accepts and writes follows from
 * them: names, order, which empty values are left out, how lists are merged.
 */
export type GoType =
  | { readonly kind: 'string' | 'bool' | 'int32' | 'int64' | 'float64' | 'bytes'; readonly text: string }
  | { readonly kind: 'special'; readonly name: SpecialName; readonly text: string }
  | { readonly kind: 'pointer'; readonly elem: GoType; readonly text: string }
  | { readonly kind: 'list'; readonly elem: GoType; readonly text: string }
  | { readonly kind: 'map'; readonly elem: GoType; readonly text: string }
  | GoStruct;

/** Types that read and write themselves. */
export type SpecialName =
  | 'time'
  | 'microtime'
  | 'duration'
  | 'raw'
  | 'quantity'
  | 'intorstring'
  | 'schemaorarray'
  | 'schemaorbool'
  | 'schemaorstrings';

export interface GoStruct {
  readonly kind: 'struct';
  readonly id: string;
  /** As Go prints it: `v1.Container`. */
  readonly text: string;
  /** In the order of the Go source; made when first asked for, since types contain each other. */
  readonly fields: ReadonlyMap<string, GoField>;
  /** The fields that are written even when they are empty. */
  readonly alwaysWritten: readonly GoField[];
  /** Whether server-side apply takes the whole as one value. */
  readonly isAtomic: boolean;
}

export interface GoField {
  readonly name: string;
  /** How many fields of the struct are before it. */
  readonly place: number;
  /** Whether its values have members, whose order matters too. */
  readonly hasMembers: boolean;
  /** The name in Go: `HostIP`. */
  readonly goName: string;
  readonly type: GoType;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  /** `merge`, `retainKeys`, `replace`: of strategic merge. */
  readonly patchStrategies: readonly string[];
  readonly patchMergeKey: string | undefined;
  /** How server-side apply merges a list. */
  readonly list: 'atomic' | 'set' | readonly string[];
  /** Whether server-side apply takes a map as one value. */
  readonly isAtomic: boolean;
  /** The numbers that lead to the field in protobuf: several where Go embeds structs; undefined if it is not there. */
  readonly protobuf: readonly number[] | undefined;
}

interface ApiTypesFile {
  readonly atomic: readonly string[];
  readonly types: Readonly<Record<string, readonly string[]>>;
}

const SPECIAL_TEXT: Readonly<Record<SpecialName, string>> = {
  ...{ time: 'v1.Time', microtime: 'v1.MicroTime', duration: 'v1.Duration', raw: 'runtime.RawExtension' },
  ...{ quantity: 'resource.Quantity', intorstring: 'intstr.IntOrString' },
  ...{ schemaorarray: 'v1.JSONSchemaPropsOrArray', schemaorbool: 'v1.JSONSchemaPropsOrBool' },
  schemaorstrings: 'v1.JSONSchemaPropsOrStringArray',
};

const SCALARS: ReadonlySet<string> = new Set(['string', 'bool', 'int32', 'int64', 'float64', 'bytes']);

export class GoTypes {
  private readonly file: ApiTypesFile;
  private readonly atomic: ReadonlySet<string>;
  private readonly structs = new Map<string, GoStruct>();
  private readonly parsed = new Map<string, GoType>();

  constructor(file: ApiTypesFile) {
    this.file = file;
    this.atomic = new Set(file.atomic);
  }

  ids(): string[] {
    return Object.keys(this.file.types);
  }

  /** `core/v1.Pod` */
  struct(id: string): GoStruct | undefined {
    const known = this.structs.get(id);
    if (known !== undefined) return known;
    const rows = this.file.types[id];
    if (rows === undefined) return undefined;
    const struct = new LazyStruct(id, this.atomic.has(id), () => rows.map((row, place) => this.fieldOf(row, place)));
    this.structs.set(id, struct);
    return struct;
  }

  private fieldOf(row: string, place: number): GoField {
    const [name = '', type = '', ...options] = row.split(' ');
    const value = (key: string): string | undefined =>
      options.find((option) => option.startsWith(`${key}=`))?.slice(key.length + 1);
    const list = value('list');
    const parsed = this.typeOf(type);
    return {
      name,
      place,
      hasMembers: hasMembers(parsed),
      goName: value('go') ?? name.slice(0, 1).toUpperCase() + name.slice(1),
      type: parsed,
      omitEmpty: options.includes('omitempty'),
      omitZero: options.includes('omitzero'),
      patchStrategies: value('patch')?.split(',') ?? [],
      patchMergeKey: value('key'),
      list: list === undefined ? 'atomic' : list === 'set' ? 'set' : list.split(','),
      isAtomic: options.includes('atomic'),
      protobuf: value('pb')?.split('.').map(Number),
    };
  }

  /** Reads `*int32`, `[]core/v1.Container`, `{}string`, `string:v1.Protocol`, `{}:v1.ResourceList:quantity`. */
  private typeOf(text: string): GoType {
    const known = this.parsed.get(text);
    if (known !== undefined) return known;
    const type = this.parse(text);
    this.parsed.set(text, type);
    return type;
  }

  private parse(text: string): GoType {
    if (text.startsWith('*')) {
      const elem = this.typeOf(text.slice(1));
      return { kind: 'pointer', elem, text: elem.text };
    }
    if (text.startsWith('[]') || text.startsWith('{}')) {
      const isList = text.startsWith('[]');
      const [, named, rest = ''] = /^..(?::([^:]+):)?(.*)$/.exec(text) ?? [];
      const elem = this.typeOf(rest);
      const plain = isList ? `[]${goText(elem)}` : `map[string]${goText(elem)}`;
      return { kind: isList ? 'list' : 'map', elem, text: named ?? plain };
    }
    const [name = '', named] = text.split(':') as [string, string?];
    if (SCALARS.has(name)) {
      return { kind: name as 'string', text: name === 'bytes' ? '[]uint8' : (named ?? name) };
    }
    const special = SPECIAL_TEXT[name as SpecialName];
    if (special !== undefined) return { kind: 'special', name: name as SpecialName, text: special };
    const struct = this.struct(name);
    if (struct === undefined) throw new Error(`the API has no type ${name}`);
    return struct;
  }
}

function hasMembers(type: GoType): boolean {
  if (type.kind === 'pointer' || type.kind === 'list') return hasMembers(type.elem);
  return type.kind === 'struct' || type.kind === 'map';
}

function goText(type: GoType): string {
  return type.kind === 'pointer' ? `*${type.text}` : type.text;
}

class LazyStruct implements GoStruct {
  readonly kind = 'struct';
  readonly id: string;
  readonly text: string;
  readonly isAtomic: boolean;
  private readonly make: () => readonly GoField[];
  private made: ReadonlyMap<string, GoField> | undefined;
  private always: readonly GoField[] | undefined;

  constructor(id: string, isAtomic: boolean, make: () => readonly GoField[]) {
    this.id = id;
    this.text = id.slice(id.lastIndexOf('/') + 1);
    this.isAtomic = isAtomic;
    this.make = make;
  }

  get fields(): ReadonlyMap<string, GoField> {
    this.made ??= new Map(this.make().map((field) => [field.name, field]));
    return this.made;
  }

  get alwaysWritten(): readonly GoField[] {
    this.always ??= [...this.fields.values()].filter(
      ({ type, omitEmpty, omitZero }) =>
        !omitZero && (!omitEmpty || type.kind === 'struct' || (type.kind === 'special' && type.name !== 'raw')),
    );
    return this.always;
  }
}

let loaded: GoTypes | undefined;

/** The types of Kubernetes v1.36, read at the first call. */
export function apiTypes(): GoTypes {
  loaded ??= new GoTypes(readDataFile('api-types.json') as ApiTypesFile);
  return loaded;
}
