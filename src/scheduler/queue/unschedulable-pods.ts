import { schedulerNameOf } from '../../api/defaults.ts';
import type { Pod } from '../../api/pod.ts';
import type { GateKeys, HintKeys } from '../../framework/events.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { EqualPods, GroupsByKey, GroupsOfTemplate } from './equal-pods.ts';
import { GatedGroups } from './gated-groups.ts';
import type { InFlightEvent } from './in-flight-pods.ts';
import type { QueuedPodInfo } from './queued-pod-info.ts';
import type { QueueingHints, Registration } from './queueing-hints.ts';

const NO_SPEC = {};
/** What concerns no group. */
export const NO_GROUPS: readonly EqualPods[] = [];

type Hints = Pick<QueueingHints, 'registrationsFor' | 'keyed' | 'gateKeys' | 'pluginsOf'>;

/**
 * The pods that wait for an event, including gated pods (upstream's unschedulable_pods.go), in groups of equal pods.
 * Groups are listed by the plugins that rejected them, and by the keys of these plugins' hints: an event costs what it
 * may help, and one question for each group.
 *
 *   NodeAffinity ──────────────────▶ {web-1 web-2 web-3} {db-1}
 *   InterPodAffinity ─┬─ app=db ───▶ {db-1}                        db-1 was rejected by both plugins
 *                     └─ any key ──▶ {cache-1 cache-2}
 */
export class UnschedulablePods {
  /** All pods, in the order in which they entered. */
  readonly #pods = new Set<QueuedPodInfo>();
  readonly #hints: Hints;
  readonly #templateOf: (pod: Pod) => object;
  readonly #groups = new Map<object, GroupsOfTemplate>();
  readonly #byRejector = new Map<string, Set<EqualPods>>();
  readonly #byKey = new Map<Registration, GroupsByKey>();
  readonly #gated = new GatedGroups();
  #nextEntry = 0;

  /** `templateOf`: an object that pods share if hints read the same from their specs. */
  constructor(hints: Hints, templateOf: (pod: Pod) => object = ({ spec }) => spec ?? NO_SPEC) {
    this.#hints = hints;
    this.#templateOf = templateOf;
  }

  get size(): number {
    return this.#pods.size;
  }

  /** Adds the pod, or enters it anew with its present rejectors. */
  set(pod: QueuedPodInfo): void {
    this.delete(pod);
    pod.entry = this.#nextEntry++;
    this.#pods.add(pod);
    this.#join(pod);
  }

  /** Follows a change of the pod, which keeps its position. */
  update(pod: QueuedPodInfo): void {
    this.#leave(pod);
    this.#join(pod);
  }

  delete(pod: QueuedPodInfo): void {
    if (pod.group === null) return;
    this.#pods.delete(pod);
    this.#leave(pod);
  }

  /** All pods in the order in which they entered, as a copy, so that pods can be moved while it is read. */
  all(): QueuedPodInfo[] {
    return [...this.#pods];
  }

  /** All groups. */
  *groups(): Iterable<EqualPods> {
    for (const { byKey } of this.#groups.values()) yield* byKey.values();
  }

  /**
   * The groups of all pods that the event may help: some plugin has rejected them and registered for the event, and has
   * a key in common with the event. `own`: the pods that the event is about, which need no key unless they are gated.
   */
  concernedBy(change: InFlightEvent, own: readonly QueuedPodInfo[]): Iterable<EqualPods> {
    const { event, oldObject, newObject } = change;
    const found = this.#gated.concernedBy(change, this.#hints.pluginsOf(event));
    // Most often all pods are gated, so that no plugin has rejected one.
    if (this.#byRejector.size === 0) return found.length > 1 ? allOf(found) : (found[0] ?? NO_GROUPS);
    for (const registration of this.#hints.registrationsFor(event)) {
      const { plugin, keys } = registration;
      const rejected = this.#byRejector.get(plugin);
      if (rejected === undefined || rejected.size === 0) continue;
      const eventKeys = keys === undefined ? null : keysOfEvent(keys, oldObject, newObject);
      if (eventKeys === null) {
        found.push(rejected);
        continue;
      }
      this.#byKey.get(registration)?.collect(eventKeys, found);
      for (const { group } of own)
        if (group !== null && rejected.has(group as EqualPods)) found.push([group as EqualPods]);
    }
    return found.length > 1 ? allOf(found) : (found[0] ?? NO_GROUPS);
  }

  #join(pod: QueuedPodInfo): void {
    const template = this.#templateOf(pod.podInfo.pod);
    let groups = this.#groups.get(template);
    if (groups === undefined) {
      groups = new GroupsOfTemplate(template);
      this.#groups.set(template, groups);
    }
    const group = groups.obviousGroup(pod) ?? this.#groupOf(pod, groups);
    group.pods.add(pod);
    pod.group = group;
  }

  #groupOf(pod: QueuedPodInfo, groups: GroupsOfTemplate): EqualPods {
    const gateKeys = this.#gateKeysOf(pod);
    if (gateKeys !== undefined) return this.#gatedGroupOf(pod, groups, gateKeys);
    const rejectors = [...new Set([...pod.unschedulablePlugins, ...pod.pendingPlugins])];
    const keyed = this.#hints.keyed(schedulerNameOf(pod.podInfo.pod), rejectors);
    const keys = keyed.map((registration) => keysOfPod(registration.keys as HintKeys, pod.podInfo));
    groups.joined(
      pod,
      keyed.some(({ reads }) => reads !== 'template'),
    );
    const key = keyOf(pod, keys);
    return getOrMake(groups.byKey, key, () => this.#newGroup(new EqualPods(groups, key, rejectors), keyed, keys));
  }

  #gateKeysOf({ isGated, gatingPlugin, podInfo }: QueuedPodInfo): GateKeys | undefined {
    return isGated ? this.#hints.gateKeys(schedulerNameOf(podInfo.pod), gatingPlugin) : undefined;
  }

  /** Whatever else has rejected the pod before does not matter until the plugin lets it in. */
  #gatedGroupOf(pod: QueuedPodInfo, groups: GroupsOfTemplate, gateKeys: GateKeys): EqualPods {
    const keys = keysOfPod(gateKeys, pod.podInfo);
    const obvious = gateKeys.differ ? null : groups.obviousGatedGroup(pod, gateKeys, keys);
    if (obvious !== null) return obvious;
    groups.gated(pod);
    // Such a pod is a group of its own, whatever else it has in common with others.
    const key = gateKeys.differ ? pod : keyOf(pod, [keys]);
    const known = groups.byKey.get(key);
    if (known !== undefined) return known;
    const group = new EqualPods(groups, key, NO_REJECTORS);
    groups.byKey.set(key, group);
    this.#gated.add(group, pod.gatingPlugin, gateKeys, keys);
    return group;
  }

  #newGroup(group: EqualPods, keyed: readonly Registration[], keys: readonly (readonly string[] | null)[]): EqualPods {
    for (const plugin of group.rejectors) getOrMake(this.#byRejector, plugin, () => new Set()).add(group);
    for (const [i, registration] of keyed.entries()) {
      const index = getOrMake(this.#byKey, registration, () => new GroupsByKey());
      index.add(group, keys[i] ?? null);
      group.listed.push({ index, keys: keys[i] ?? null });
    }
    return group;
  }

  #leave(pod: QueuedPodInfo): void {
    const group = pod.group as EqualPods;
    pod.group = null;
    group.pods.delete(pod);
    if (group.pods.size > 0) return;
    const { siblings, key, rejectors, listed } = group;
    siblings.byKey.delete(key);
    if (siblings.byKey.size === 0) this.#groups.delete(siblings.template);
    this.#gated.delete(group);
    for (const plugin of rejectors) this.#leaveRejector(plugin, group);
    for (const { index, keys } of listed) index.delete(group, keys);
  }

  #leaveRejector(plugin: string, group: EqualPods): void {
    const rejected = this.#byRejector.get(plugin);
    if (rejected?.delete(group) && rejected.size === 0) this.#byRejector.delete(plugin);
  }
}

const NO_REJECTORS: readonly string[] = [];

function allOf(found: readonly Iterable<EqualPods>[]): ReadonlySet<EqualPods> {
  return new Set(found.flatMap((groups) => [...groups]));
}

/** What equal pods of one template have in common besides. The metadata is not in the template. */
function keyOf(
  { podInfo, unschedulablePlugins, pendingPlugins, gatingPlugin }: QueuedPodInfo,
  keys: readonly (readonly string[] | null)[],
): string {
  const { labels, ownerReferences } = podInfo.pod.metadata ?? {};
  const who = `${[...unschedulablePlugins]};${[...pendingPlugins]};${gatingPlugin};${podInfo.namespace}`;
  const metadata = `${labels && JSON.stringify(labels)};${ownerReferences && JSON.stringify(ownerReferences)}`;
  return `${who};${metadata};${keys.length > 0 && JSON.stringify(keys)}`;
}

/** The keys of the pod; null if they cannot be read, so that the hint or the plugin is called. */
function keysOfPod(keys: Pick<HintKeys, 'ofPod'>, pod: PodInfo): readonly string[] | null {
  try {
    return keys.ofPod(pod);
  } catch {
    return null;
  }
}

function keysOfEvent(keys: HintKeys, oldObject: unknown, newObject: unknown): readonly string[] | null {
  try {
    return keys.ofEvent(oldObject ?? undefined, newObject ?? undefined);
  } catch {
    return null;
  }
}
