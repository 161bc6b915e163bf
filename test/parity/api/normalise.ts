interface NormaliserOptions {
  readonly keepsManagedFields: boolean;
  readonly host: string;
  readonly nowMillis: number;
}

/**
 * Replaces what differs from run to run by placeholders that are numbered by first appearance, as the recordings'
 * README describes: objects are walked with their keys in order of code points, lists in their own order.
 */
export class Normaliser {
  readonly #values = new Map<string, string>();
  readonly #placeholders = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  /** Generated names that were seen, longest first, and their normalised form. */
  readonly #generated = new Map<string, string>();
  readonly #keepsManagedFields: boolean;
  readonly #host: string;
  readonly #nowMillis: number;

  constructor({ keepsManagedFields, host, nowMillis }: NormaliserOptions) {
    this.#nowMillis = nowMillis;
    this.#keepsManagedFields = keepsManagedFields;
    this.#host = host;
  }

  /** The value that a placeholder such as `<uid:1>` stands for. */
  valueOf(placeholder: string): string | undefined {
    return this.#values.get(placeholder);
  }

  /** Puts the values in place of the placeholders in a request. */
  filledIn(value: unknown, encode = (text: string): string => text): unknown {
    if (typeof value === 'string') return this.#filledText(value, encode);
    if (Array.isArray(value)) return value.map((item) => this.filledIn(item, encode));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.filledIn(member, encode)]));
  }

  normalised(value: unknown): unknown {
    return this.#walk(value, { key: '', isList: false, isBookmark: false });
  }

  text(text: string): string {
    return this.#replaceIn(text).replace(/(resourceVersion: )"\d+"/g, '$1"<n>"');
  }

  #filledText(text: string, encode: (text: string) => string): unknown {
    if (/^<nodeport:\d+>$/.test(text)) return Number(this.#values.get(text));
    return text.replace(PLACEHOLDER, (placeholder) => encode(this.#values.get(placeholder) ?? placeholder));
  }

  #walk(value: unknown, where: Where): unknown {
    if (typeof value === 'string') return this.#string(value, where);
    if (typeof value === 'number')
      return isNodePort(value, where) ? this.#placeholder('nodeport', String(value)) : value;
    if (Array.isArray(value)) return value.map((item) => this.#walk(item, { ...where, isList: where.isList }));
    return isRecord(value) ? this.#record(value, where) : value;
  }

  #record(record: Readonly<Record<string, unknown>>, where: Where): unknown {
    this.#noteGeneratedName(record);
    const isBookmark = record['type'] === 'BOOKMARK' && isRecord(record['object']);
    const isList = where.isBookmark || Array.isArray(record['items']) || isListKind(record);
    const result: Record<string, unknown> = {};
    const members = new Map<string, unknown>();
    for (const key of Object.keys(record).sort(byCodePoint)) {
      let member = record[key];
      if (key === 'managedFields' && Array.isArray(member)) {
        if (!this.#keepsManagedFields) continue;
        member = sortedEntries(member);
      }
      const inner = { key, isList: key === 'metadata' ? isList : false, isBookmark: isBookmark && key === 'object' };
      if (key === 'resourceVersion' && where.key === 'metadata' && typeof member === 'string') {
        members.set(key, this.#version(member, where.isList));
      } else if (key === 'continue' && where.key === 'metadata' && typeof member === 'string' && member !== '') {
        members.set(key, this.#fresh('continue', member));
      } else members.set(this.#generatedIn(key), this.#walk(member, inner));
    }
    for (const [key, member] of members) result[key] = member;
    return result;
  }

  #string(text: string, { key }: Where): string {
    if (key === 'token' && /^ey[\w.-]+$/.test(text)) return this.#placeholder('token', text);
    if (key === 'cells' && isAge(text)) return '<age>';
    return this.#replaceIn(text, key);
  }

  #version(version: string, isList: boolean): string {
    if (version === '' || version === '0') return version;
    return isList ? this.#fresh('listrv', version) : this.#placeholder('rv', version);
  }

  #replaceIn(text: string, key = ''): string {
    let result = this.#generatedIn(text);
    result = result.replace(UUID, (uid) => this.#placeholder('uid', uid));
    result = result.replace(CLUSTER_IP, (ip) => this.#placeholder('ip', ip));
    result = result.replace(TIME, (time) => {
      if (Math.abs(Date.parse(time) - this.#nowMillis) > DAY_MILLIS) return time;
      return time.includes('.') ? '<microtime>' : '<time>';
    });
    result = result.replaceAll(this.#host, '<host>');
    if (key === 'cells') result = result.replace(NODE_PORT, (_, port) => `:${this.#placeholder('nodeport', port)}/TCP`);
    result = result.replace(/((?:current: )|(?:too old resource version: \d+ \())\d+/g, '$1<n>');
    result = result.replace(/(\\?"resourceVersion\\?":\\?")\d+/g, '$1<n>');
    return result.replace(/(ResourceVersion in (?:the precondition|record) \()(\d+)/g, (whole, before, version) => {
      const isKnown = before.includes('record') || this.#placeholders.has(`rv ${version}`);
      return isKnown ? `${before}${this.#placeholder('rv', version)}` : whole;
    });
  }

  #noteGeneratedName(record: Readonly<Record<string, unknown>>): void {
    const { name, generateName } = record;
    if (typeof name !== 'string' || typeof generateName !== 'string' || generateName === '') return;
    const base = generateName.slice(0, 58);
    if (!name.startsWith(base) || name.length !== base.length + 5) return;
    this.generatedName(name);
  }

  /** Notes that the last five characters of a name were made by the server. */
  generatedName(name: string): void {
    if (this.#generated.has(name)) return;
    this.#generated.set(name, name.slice(0, -5) + this.#placeholder('gen', name.slice(-5)));
  }

  #generatedIn(text: string): string {
    let result = text;
    for (const [name, normalised] of this.#generated) {
      if (result.includes(name)) result = result.replaceAll(name, normalised);
    }
    return result;
  }

  #placeholder(kind: string, value: string): string {
    const known = this.#placeholders.get(`${kind} ${value}`);
    if (known !== undefined) return known;
    const placeholder = this.#fresh(kind, value);
    this.#placeholders.set(`${kind} ${value}`, placeholder);
    return placeholder;
  }

  #fresh(kind: string, value: string): string {
    const number = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, number);
    const placeholder = `<${kind}:${number}>`;
    this.#values.set(placeholder, value);
    return placeholder;
  }
}

interface Where {
  readonly key: string;
  /** Whether the object is the metadata of a list. */
  readonly isList: boolean;
  readonly isBookmark: boolean;
}

const PLACEHOLDER = /<(?:uid|rv|listrv|gen|continue|ip|nodeport|token):\d+>/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const CLUSTER_IP = /\b10\.0\.\d{1,3}\.\d{1,3}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const NODE_PORT = /:(\d{5})\/TCP/g;
const DAY_MILLIS = 86_400_000;
const PORTS = new Set(['nodePort', 'healthCheckNodePort']);

function isNodePort(value: number, { key }: Where): boolean {
  return PORTS.has(key) && value >= 30_000 && value <= 32_767;
}

function isAge(text: string): boolean {
  return /^(?:\d+y)?(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?$/.test(text) && text !== '';
}

function isListKind(record: Readonly<Record<string, unknown>>): boolean {
  const { kind } = record;
  return typeof kind === 'string' && (kind === 'Table' || kind.endsWith('List')) && 'metadata' in record;
}

function sortedEntries(entries: readonly unknown[]): unknown[] {
  const key = (entry: unknown): string => {
    const { operation = '', manager = '', subresource = '', fieldsV1 } = entry as Record<string, unknown>;
    return JSON.stringify([operation, manager, subresource, JSON.stringify(sortedKeys(fieldsV1))]);
  };
  return [...entries].sort((a, b) => byCodePoint(key(a), key(b)));
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort(byCodePoint);
  return Object.fromEntries(keys.map((key) => [key, sortedKeys(value[key])]));
}

function byCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
