import type { ClusterEvent, GateKeys } from '../../framework/events.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { type EqualPods, GroupsByKey } from './equal-pods.ts';
import type { InFlightEvent } from './in-flight-pods.ts';

/** The groups that one plugin gates. */
interface Gate {
  readonly plugin: string;
  readonly groups: Set<EqualPods>;
  readonly byKey: GroupsByKey;
}

/**
 * The groups of pods that are gated by plugins which say what decides about a pod: an event costs the pods that it may
 * let in. All other gated pods would stay where they are.
 */
export class GatedGroups {
  readonly #gates = new Map<GateKeys, Gate>();

  add(group: EqualPods, plugin: string, gateKeys: GateKeys, keys: readonly string[] | null): void {
    const gate = getOrMake(this.#gates, gateKeys, () => ({ plugin, groups: new Set(), byKey: new GroupsByKey() }));
    gate.groups.add(group);
    gate.byKey.add(group, keys);
    group.gate = { gateKeys, keys };
  }

  delete(group: EqualPods): void {
    if (group.gate === null) return;
    const { gateKeys, keys } = group.gate;
    const gate = this.#gates.get(gateKeys);
    if (gate === undefined) return;
    gate.groups.delete(group);
    gate.byKey.delete(group, keys);
    if (gate.groups.size === 0) this.#gates.delete(gateKeys);
  }

  /** The groups that the event may let in. `registered`: the plugins that have registered for the event. */
  concernedBy({ event, oldObject, newObject }: InFlightEvent, registered: readonly string[]): Iterable<EqualPods>[] {
    const found: Iterable<EqualPods>[] = [];
    for (const [gateKeys, { plugin, groups, byKey }] of this.#gates) {
      if (!registered.includes(plugin)) continue;
      const keys = keysOfEvent(gateKeys, event, oldObject, newObject);
      if (keys === null) {
        found.push(groups);
        continue;
      }
      byKey.collect(keys, found);
    }
    return found;
  }
}

/** The keys of the event; null if they cannot be read, so that every pod is looked at. */
function keysOfEvent(
  gateKeys: GateKeys,
  event: ClusterEvent,
  oldObject: unknown,
  newObject: unknown,
): readonly string[] | null {
  try {
    return gateKeys.ofEvent(event, oldObject ?? undefined, newObject ?? undefined);
  } catch {
    return null;
  }
}
