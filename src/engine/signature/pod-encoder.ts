import { withoutNamedNode } from '../../api/named-node.ts';
import type { Pod, PodSpec } from '../../api/pod.ts';
import { mayBeResized } from '../../api/pod-requests.ts';
import type { Resources } from '../../api/resources.ts';
import { hasMethod, type Plugin, type Reads } from '../../framework/plugin.ts';
import { PodInfo, type PodRequirements, podRequirements } from '../../framework/pod-info.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import { assert } from '../../lib/assert.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import { SignatureTree } from './signature-tree.ts';

const MOST_KEYS = 20_000;

/** A map that is cleared when it is full, because every value can be made again. */
class BoundedMap<T> extends Map<string, T> {
  override set(key: string, value: T): this {
    if (this.size >= MOST_KEYS) this.clear();
    return super.set(key, value);
  }
}

/** Requirements that all identical pods share, with the keys under which their columns are found. */
export interface EncodedRequirements extends PodRequirements {
  /** A key of all that plugins read of the pod to filter and score nodes, apart from its requests. */
  readonly verdictsKey: string;
  /** A key of the same, but for what only the scores of images read: most Deployments have images of their own. */
  readonly familyKey: string;
  /**
   * Returns the requirements of one of the pods, which are identical but for the nodes that they name; undefined if no
   * pod names its node.
   */
  readonly ofPod: ((pod: Pod) => EncodedRequirements) | undefined;
}

/**
 * Turns pods into shared requirements. A spec object that was seen before is answered by identity; others by a key over
 * everything that a decision can depend on.
 */
export class PodEncoder {
  /** The plugins that filter and score. */
  readonly allPlugins: readonly Plugin[];
  /** The plugins that declare on what of a pod they depend. */
  readonly plugins: readonly Plugin[];
  /** The plugins that score images and do nothing else; what they read of a pod is no part of its family. */
  readonly #imageScorers: ReadonlySet<Plugin>;
  readonly #bySpec = new RecentMap<PodSpec, EncodedRequirements>();
  readonly #byKey = new BoundedMap<EncodedRequirements>();
  /** The keys by what plugins read of pods. */
  readonly #keys = new SignatureTree<string>();
  #keyCount = 0;
  readonly #placedBySpec = new RecentMap<PodSpec, PodRequirements>();
  readonly #placedByKey = new BoundedMap<PodRequirements>();

  /** Takes the frameworks of all profiles, because keys must differ where any of them needs it. */
  constructor(...frameworks: readonly Framework[]) {
    // PreFilter and PreScore plugins count even without Filter or Score: they can reject a pod or limit its nodes.
    const plugins = new Set<Plugin>(
      frameworks.flatMap(({ preFilterPlugins, filterPlugins, preScorePlugins, scorePlugins }) => [
        ...preFilterPlugins,
        ...filterPlugins,
        ...preScorePlugins,
        ...scorePlugins.map(({ plugin }) => plugin),
      ]),
    );
    this.allPlugins = [...plugins];
    this.plugins = this.allPlugins.filter((plugin) => plugin.dependsOn ?? plugin.concerns);
    this.#imageScorers = new Set(this.plugins.filter(scoresNothingButImages));
  }

  encode(pod: Pod): EncodedRequirements {
    return knownBySpec(pod, this.#bySpec, this.#intern);
  }

  /**
   * Encodes what a pod that names its node has in common with those that name others: the requirements without the
   * name.
   */
  encodeBesideNode(pod: Pod): EncodedRequirements {
    const { spec } = pod;
    const shared = spec === undefined ? pod : { ...pod, spec: withoutNamedNode(spec) };
    const interned = this.#intern(shared);
    return encoded(interned, interned, (each) => this.encode(each));
  }

  /** Encodes a pod that is on a node, of which only the requests, host ports and storage matter. */
  encodePlaced(pod: Pod): PodRequirements {
    return knownBySpec(pod, this.#placedBySpec, this.#internPlaced);
  }

  readonly #internPlaced = (pod: Pod): PodRequirements => {
    const requirements = podRequirements(pod);
    const { hostPorts } = requirements;
    const ports = hostPorts.length === 0 ? '' : JSON.stringify(hostPorts);
    const key = `${requestsKey(requirements)} ${ports}`;
    const placed = this.#placedByKey.get(key) ?? requirements;
    this.#placedByKey.set(key, placed);
    return placed;
  };

  readonly #intern = (pod: Pod): EncodedRequirements => {
    const requirements = podRequirements(pod);
    const parts = this.plugins.map((plugin) => plugin.dependsOn?.(pod) ?? plugin.concerns?.(pod) ?? null);
    const verdictsKey = this.#keyOf(parts);
    const key = `${requestsKey(requirements)} ${verdictsKey}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const familyKey = this.#keyOf(
      parts.map((part, i) => (this.#imageScorers.has(this.plugins[i] as Plugin) ? null : part)),
    );
    const interned = encoded(requirements, { verdictsKey, familyKey }, undefined);
    this.#byKey.set(key, interned);
    return interned;
  };

  /**
   * A number for what plugins read of a pod, which is looked up by its values: to make a text of them takes several
   * times as long.
   */
  #keyOf(parts: readonly unknown[]): string {
    this.#keys.find();
    if (this.#keys.walk(parts) && this.#keys.value !== undefined) return this.#keys.value;
    this.#keys.grow();
    // What is no JSON has no place in the tree.
    if (!this.#keys.walk(parts)) return JSON.stringify(parts);
    const key = String(this.#keyCount++);
    this.#keys.value = key;
    return key;
  }
}

/** A spread of the requirements would have a hidden class for each signature, and hot code reads those of all pods. */
function encoded(
  { requests, fitScoreRequests, nonZeroRequests, hostPorts, hasStorage }: PodRequirements,
  { verdictsKey, familyKey }: Pick<EncodedRequirements, 'verdictsKey' | 'familyKey'>,
  ofPod: EncodedRequirements['ofPod'],
): EncodedRequirements {
  return { requests, fitScoreRequests, nonZeroRequests, hostPorts, hasStorage, verdictsKey, familyKey, ofPod };
}

function scoresNothingButImages(plugin: Plugin & { readonly scoreReads?: Reads }): boolean {
  const others = ['preFilter', 'filter', 'preScore'] as const;
  return plugin.scoreReads === 'images' && !others.some((method) => hasMethod(plugin, method));
}

/** Returns the requirements that are known for the identity of the pod's spec, or makes them. */
function knownBySpec<T>(pod: Pod, bySpec: RecentMap<PodSpec, T>, intern: (pod: Pod) => T): T {
  // During a resize a pod's requests follow from its status, too, so that its spec must not identify it.
  const spec = mayBeResized(pod.status) ? undefined : pod.spec;
  const known = spec && bySpec.get(spec);
  if (known !== undefined) return known;
  const interned = intern(pod);
  if (spec) bySpec.set(spec, interned);
  return interned;
}

function requestsKey({ requests, fitScoreRequests, nonZeroRequests, hasStorage }: PodRequirements): string {
  const { milliCPU, memoryBytes } = nonZeroRequests;
  const amounts = resourcesKey(requests);
  // Mostly both are one object.
  const scored = fitScoreRequests === requests ? amounts : resourcesKey(fitScoreRequests);
  return `${amounts},${scored === amounts ? '=' : scored},${milliCPU},${memoryBytes},${hasStorage}`;
}

function resourcesKey({ milliCPU, memoryBytes, ephemeralStorageBytes, scalar }: Resources): string {
  const amounts = `${milliCPU},${memoryBytes},${ephemeralStorageBytes}`;
  if (scalar.size === 0) return amounts;
  if (scalar.size === 1) for (const [name, amount] of scalar) return `${amounts},${name},${amount}`;
  const scalars = [...scalar].sort(([a], [b]) => (a < b ? -1 : 1)).join(';');
  return `${amounts},${scalars}`;
}

/** The keys of the verdicts that a pod shares with others. */
export interface VerdictsKeys {
  readonly verdictsKey: string;
  /** Null for verdicts from which none on other pods can be made. */
  readonly familyKey: string | null;
}

/** `isVolatile`: the verdicts are made anew for each attempt, so that they are of no use for other signatures. */
export function verdictsKeysOf(pod: PodInfo, isVolatile: boolean): VerdictsKeys {
  const { verdictsKey, familyKey } = pod.requirements as EncodedRequirements;
  assert(verdictsKey !== undefined, 'the column engine schedules encoded pods only');
  return isVolatile ? { verdictsKey: `${verdictsKey} volatile`, familyKey: null } : { verdictsKey, familyKey };
}

/** Returns the pod with requirements that hold for it alone, if it shares its with pods that name other nodes. */
export function withOwnRequirements(pod: PodInfo): PodInfo {
  const { ofPod } = pod.requirements as EncodedRequirements;
  return ofPod === undefined ? pod : new PodInfo(pod.pod, ofPod(pod.pod), pod.nodeName, pod.nominatedNodeName, pod);
}
