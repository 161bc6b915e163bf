import type { GateKeys } from '../../framework/events.ts';
import type { QueuedPodInfo } from './queued-pod-info.ts';

/**
 * Unschedulable pods that hints cannot distinguish, unless these read the names of pods or of volumes: pods with one
 * template, namespace, labels and owners, which the same plugins rejected or gate.
 */
export class EqualPods {
  readonly pods = new Set<QueuedPodInfo>();
  /** The groups of the template, of which this is one. */
  readonly siblings: GroupsOfTemplate;
  readonly key: string | QueuedPodInfo;
  /** The plugins that rejected the pods, each once. */
  readonly rejectors: readonly string[];
  /** Where the group is listed by keys. */
  readonly listed: { readonly index: GroupsByKey; readonly keys: readonly string[] | null }[] = [];
  /** By what the pods are let in, if the plugin that gates them says so. Only `GatedGroups` changes it. */
  gate: { readonly gateKeys: GateKeys; readonly keys: readonly string[] | null } | null = null;

  constructor(siblings: GroupsOfTemplate, key: string | QueuedPodInfo, rejectors: readonly string[]) {
    this.siblings = siblings;
    this.key = key;
    this.rejectors = rejectors;
  }
}

/** The groups of one template, by all else that makes pods equal. */
export class GroupsOfTemplate {
  readonly template: object;
  /** A pod that is a group of its own is its key. */
  readonly byKey = new Map<string | QueuedPodInfo, EqualPods>();
  /** The last pod that joined a group, if the pods of the group cannot differ in the keys of hints. */
  #last: QueuedPodInfo | null = null;
  /** The last gated pod whose group was looked for, and its rejectors then; null after a pod that is not gated. */
  #lastGated: { readonly pod: QueuedPodInfo; readonly rejectors: ReadonlySet<string> } | null = null;

  constructor(template: object) {
    this.template = template;
  }

  /** Returns the group of the last pod if the pod is obviously equal to it. */
  obviousGroup(pod: QueuedPodInfo): EqualPods | null {
    const group = (this.#last?.group ?? null) as EqualPods | null;
    // The last pod may have got another spec, and so another template.
    if (group === null || group.siblings !== this || !isObviouslyEqual(this.#last as QueuedPodInfo, pod)) return null;
    return group;
  }

  joined(pod: QueuedPodInfo, canDiffer: boolean): void {
    this.#last = canDiffer ? null : pod;
    this.#lastGated = null;
  }

  /** Returns the group of the last gated pod if the pod is obviously equal to it, and is let in by the same keys. */
  obviousGatedGroup(pod: QueuedPodInfo, gateKeys: GateKeys, keys: readonly string[] | null): EqualPods | null {
    if (this.#lastGated === null) return null;
    const { pod: last, rejectors } = this.#lastGated;
    const group = last.group as EqualPods | null;
    if (group === null || group.siblings !== this || group.gate?.gateKeys !== gateKeys) return null;
    // The plugin may have been asked again since, without a change of the group.
    if (last.unschedulablePlugins !== rejectors) return null;
    return areSameKeys(group.gate.keys, keys) && isObviouslyEqual(last, pod) ? group : null;
  }

  gated(pod: QueuedPodInfo): void {
    this.#last = null;
    this.#lastGated = { pod, rejectors: pod.unschedulablePlugins };
  }
}

/** Whether the pods share the objects of their metadata, and are in the same state. */
function isObviouslyEqual(a: QueuedPodInfo, b: QueuedPodInfo): boolean {
  const [one, other] = [a.podInfo.pod.metadata, b.podInfo.pod.metadata];
  return (
    one?.labels === other?.labels &&
    one?.namespace === other?.namespace &&
    one?.ownerReferences === other?.ownerReferences &&
    a.gatingPlugin === b.gatingPlugin &&
    haveSameMembers(a.unschedulablePlugins, b.unschedulablePlugins) &&
    haveSameMembers(a.pendingPlugins, b.pendingPlugins)
  );
}

function areSameKeys(a: readonly string[] | null, b: readonly string[] | null): boolean {
  if (a === null || b === null || a.length !== b.length) return a === b;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function haveSameMembers(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const member of a) if (!b.has(member)) return false;
  return true;
}

/** The groups by the keys of one hint. Most keys are those of a single group, which is kept without a set. */
export class GroupsByKey {
  readonly #byKey = new Map<string, EqualPods | Set<EqualPods>>();
  /** The groups that any event may help. */
  readonly #always = new Set<EqualPods>();

  add(group: EqualPods, keys: readonly string[] | null): void {
    if (keys === null) this.#always.add(group);
    else for (const key of keys) this.#addUnder(key, group);
  }

  #addUnder(key: string, group: EqualPods): void {
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, group);
    else if (known instanceof Set) known.add(group);
    else if (known !== group) this.#byKey.set(key, new Set([known, group]));
  }

  delete(group: EqualPods, keys: readonly string[] | null): void {
    if (keys === null) {
      this.#always.delete(group);
      return;
    }
    for (const key of keys) {
      const known = this.#byKey.get(key);
      if (known === group) this.#byKey.delete(key);
      else if (known instanceof Set && known.delete(group) && known.size === 0) this.#byKey.delete(key);
    }
  }

  /** Adds the groups with one of the keys, and those that any event may help. */
  collect(keys: readonly string[], found: Iterable<EqualPods>[]): void {
    if (this.#always.size > 0) found.push(this.#always);
    for (const key of keys) {
      const groups = this.#byKey.get(key);
      if (groups !== undefined) found.push(groups instanceof Set ? groups : [groups]);
    }
  }
}
