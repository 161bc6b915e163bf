import type { DeviceAttribute, DeviceDescription } from '../../../api/resource-claims.ts';
import { quantityOf } from '../../../cel/library/quantities.ts';
import { parseSemver } from '../../../cel/library/semvers.ts';
import { CelError, EntryMap, MapValue, type Outcome, type Value } from '../../../cel/values/value.ts';

/** A map in which every domain that a device does not know is empty, though `in` does not find it. */
class DomainMap extends MapValue {
  static readonly #EMPTY = new EntryMap([]);
  readonly #known: EntryMap;

  constructor(known: EntryMap) {
    super();
    this.#known = known;
  }

  get size(): number {
    return this.#known.size;
  }

  get(key: Value): Value {
    return this.#known.get(key) ?? DomainMap.#EMPTY;
  }

  override has(key: Value): boolean {
    return this.#known.has(key);
  }

  keys(): Iterable<Value> {
    return this.#known.keys();
  }
}

/**
 * The device as the variable of selectors; an error if an attribute has no value or no proper version. With `hasLists`
 * an attribute without a value is an empty list, as the API server stores one.
 */
export function deviceValue(device: DeviceDescription, hasLists: boolean): Outcome {
  const empty = hasLists ? [] : new CelError('unsupported attribute value');
  const attributes = byDomain(device.driver, device.attributes ?? {}, (one) => attributeValue(one) ?? empty);
  if (attributes instanceof CelError) return attributes;
  const capacity = byDomain(device.driver, device.capacity ?? {}, ({ value }) => quantityOf(String(value)));
  if (capacity instanceof CelError) return capacity;
  return new EntryMap([
    ['driver', device.driver],
    ['attributes', attributes],
    ['capacity', capacity],
    ['allowMultipleAllocations', device.allowMultipleAllocations ?? false],
  ]);
}

function byDomain<T>(
  driver: string,
  entries: Readonly<Record<string, T>>,
  read: (entry: T) => Outcome,
): MapValue | CelError {
  const domains = new Map<string, [Value, Value][]>();
  for (const [name, entry] of Object.entries(entries)) {
    const value = read(entry);
    if (value instanceof CelError) return new CelError(`attribute ${name}: ${value.message}`);
    const slash = name.indexOf('/');
    const domain = slash < 0 ? driver : name.slice(0, slash);
    const known = domains.get(domain);
    const named: [Value, Value] = [slash < 0 ? name : name.slice(slash + 1), value];
    if (known === undefined) domains.set(domain, [named]);
    else known.push(named);
  }
  return new DomainMap(new EntryMap([...domains].map(([domain, values]) => [domain, new EntryMap(values)])));
}

function attributeValue(attribute: DeviceAttribute): Outcome | undefined {
  if (attribute.int !== undefined) return BigInt(attribute.int);
  if (attribute.bool !== undefined) return attribute.bool;
  if (attribute.string !== undefined) return attribute.string;
  if (attribute.version !== undefined) return versionOf(attribute.version);
  if (attribute.ints !== undefined) return attribute.ints.map((int) => BigInt(int));
  if (attribute.bools !== undefined) return attribute.bools;
  if (attribute.strings !== undefined) return attribute.strings;
  if (attribute.versions === undefined) return undefined;
  const versions: Value[] = [];
  for (const text of attribute.versions) {
    const version = versionOf(text);
    if (version instanceof CelError) return version;
    versions.push(version);
  }
  return versions;
}

function versionOf(text: string): Value | CelError {
  const version = parseSemver(text);
  return version instanceof CelError ? new CelError(`parse semantic version: ${version.message}`) : version;
}
