import type { KubernetesObject } from '../../api/meta.ts';
import { type Json, type JsonMap, mapsOfLabels, QUANTITIES, REMOVED, VERBATIM } from './members.ts';
import { Pseudonyms } from './pseudonyms.ts';

/** The words of Kubernetes itself, which say nothing about anybody. */
const KEPT_WORDS = ['default', 'scheduler', 'kube', 'system', 'public', 'node', 'lease', 'cluster', 'critical'];
const KEPT_TAGS = ['latest', 'sha256'];
const KEPT_ANSWERS = ['yes', 'no', 'true', 'false'];

/** Keys of labels, taints and resources in these domains are Kubernetes' own, or of a well-known vendor's. */
const KNOWN_DOMAIN = /(?:^|\.)(?:kubernetes\.io|k8s\.io|nvidia\.com|amd\.com|intel\.com)$/;
/** The values of these members are words of Kubernetes. */
const KNOWN_VALUES = new Set([
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);
/** Annotations that decide something. */
const KEPT_ANNOTATIONS = /(?:^|\.)(?:kubernetes\.io|k8s\.io|berth\.dev)\//;
/** Annotations whose values are durations and the like. */
const OWN_ANNOTATIONS = 'berth.dev/';

/**
 * Takes the names out of objects and leaves what decides: names, labels and images are replaced word by word, always in
 * the same way, and what no decision reads (environment, commands, messages, addresses, most annotations) is removed.
 * CEL expressions, attributes of devices and names of drivers stay as they are.
 */
export class Anonymiser {
  readonly #pseudonyms: Pseudonyms;

  constructor(seed: number) {
    this.#pseudonyms = new Pseudonyms(seed, [...KEPT_WORDS, ...KEPT_TAGS, ...KEPT_ANSWERS]);
  }

  /** The object without names; the given one is not changed. */
  object(object: KubernetesObject): KubernetesObject {
    return this.#map(object as unknown as JsonMap) as unknown as KubernetesObject;
  }

  #map(map: JsonMap): JsonMap {
    const result: Record<string, Json> = {};
    for (const [member, value] of Object.entries(map)) {
      if (REMOVED.has(member) && !('hostPort' in map)) continue;
      result[member] = this.#member(map, member, value);
    }
    return result;
  }

  #member(parent: JsonMap, member: string, value: Json): Json {
    if (member === 'attributes' || (VERBATIM.has(member) && !isMap(value))) return value;
    if (member === 'hostIP') return value;
    if (member === 'type' && typeof value === 'string') return value.includes('/') ? this.#key(value) : value;
    if (QUANTITIES.has(member) && isMap(value)) return this.#quantities(value);
    if (member === 'annotations' && isMap(value)) return this.#annotations(value);
    if (mapsOfLabels(member, value) && isMap(value)) return this.#labels(value);
    if (LABEL_KEYS.has(member)) return this.#keys(value);
    if (member === 'key' && typeof value === 'string') return this.#key(value);
    if (member === 'values' || member === 'value') return this.#values(parent, value);
    return this.#value(value);
  }

  #value(value: Json): Json {
    if (typeof value === 'string') return this.#pseudonyms.of(value);
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    return isMap(value) ? this.#map(value) : value;
  }

  #labels(labels: JsonMap): JsonMap {
    return Object.fromEntries(
      Object.entries(labels).map(([key, value]) => [this.#key(key), this.#valueOf(key, value)]),
    );
  }

  #quantities(amounts: JsonMap): JsonMap {
    return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [this.#key(name), amount]));
  }

  #annotations(annotations: JsonMap): JsonMap {
    const kept: Record<string, Json> = {};
    for (const [key, value] of Object.entries(annotations)) {
      if (!KEPT_ANNOTATIONS.test(key) || key.includes('last-applied')) continue;
      kept[key] = key.startsWith(OWN_ANNOTATIONS) ? value : this.#value(value);
    }
    return kept;
  }

  #keys(value: Json): Json {
    if (typeof value === 'string') return this.#key(value);
    return Array.isArray(value) ? value.map((item) => this.#keys(item)) : value;
  }

  /** A key with a prefix that everybody knows stays, and so does the name of a resource without a prefix. */
  #key(key: string): string {
    const slash = key.indexOf('/');
    if (slash === -1) return PLAIN_KEYS.has(key) || key.startsWith('hugepages-') ? key : this.#pseudonyms.of(key);
    return KNOWN_DOMAIN.test(key.slice(0, slash)) ? key : this.#pseudonyms.of(key);
  }

  /** The values of an expression, a taint or a toleration, whose key stands beside them. */
  #values({ key }: JsonMap, value: Json): Json {
    const name = typeof key === 'string' ? key : '';
    return Array.isArray(value) ? value.map((item) => this.#valueOf(name, item)) : this.#valueOf(name, value);
  }

  #valueOf(key: string, value: Json): Json {
    return KNOWN_VALUES.has(key) || typeof value !== 'string' ? value : this.#pseudonyms.of(value);
  }
}

/** Members that name keys of labels. */
const LABEL_KEYS = new Set(['topologyKey', 'topologyKeys', 'matchLabelKeys', 'mismatchLabelKeys']);
/** Keys without a prefix that Kubernetes gives a meaning. */
const PLAIN_KEYS = new Set(['cpu', 'memory', 'pods', 'storage', 'ephemeral-storage', 'metadata.name']);

function isMap(value: Json): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
