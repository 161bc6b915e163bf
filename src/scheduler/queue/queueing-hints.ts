import { schedulerNameOf } from '../../api/defaults.ts';
import type { Pod } from '../../api/pod.ts';
import {
  ActionType,
  type ClusterEvent,
  type ClusterEventWithHint,
  clusterEvent,
  EVERY_EVENT,
  type GateKeys,
  isWildCard,
  matchesEvent,
  type QueueingHint,
} from '../../framework/events.ts';
import { type Plugin, pluginsWith } from '../../framework/plugin.ts';
import { isSameUid } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { combined } from '../../lib/combined.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { memoized } from '../../lib/memoized.ts';
import type { SchedulingQueueModules } from './queue-modules.ts';
import type { QueuedPodInfo } from './queued-pod-info.ts';

/** How a pod is requeued after an event. */
export type QueueingStrategy = 'Skip' | 'QueueAfterBackoff' | 'QueueImmediately';

/** An event that a plugin of one profile registered, with its QueueingHint function. */
export interface Registration extends ClusterEventWithHint {
  readonly plugin: string;
}

const NONE: readonly Registration[] = [];

type HintModules = Pick<SchedulingQueueModules, 'observer' | 'loop'>;

/**
 * The plugins that registered for each event, by profile (upstream's QueueingHintMapPerProfile). The plugins of an
 * event are cached by the event object, of which there are a few dozen.
 */
export class QueueingHints {
  readonly #profiles = new Map<string, ProfileHints>();
  readonly #byPlugin = new Map<string, readonly ClusterEventWithHint[]>();
  readonly #modules: HintModules | null;

  /** `plugins`: those of each profile, by scheduler name. Without `asksHints` every registered event helps. */
  constructor(
    plugins: Iterable<readonly [string, readonly Plugin[]]>,
    asksHints = true,
    modules: HintModules | null = null,
  ) {
    this.#modules = modules?.observer?.hintGiven === undefined ? null : modules;
    for (const [name, ofProfile] of plugins) {
      const registrations = ofProfile.flatMap(registrationsOf);
      const hints = asksHints ? registrations : registrations.map(({ event, plugin }) => ({ event, plugin }));
      this.#profiles.set(name, new ProfileHints(hints, gateKeysOf(ofProfile)));
    }
  }

  /** Whether a plugin of any profile registered for the event. */
  isOfInterest(event: ClusterEvent): boolean {
    return isWildCard(event) || this.pluginsOf(event).length > 0;
  }

  /** The names of the plugins of all profiles that registered for the event. */
  readonly pluginsOf = memoized((event: ClusterEvent): readonly string[] => {
    return [...new Set(this.registrationsFor(event).map(({ plugin }) => plugin))];
  });

  /** The registrations of all profiles for the event. */
  readonly registrationsFor = memoized((event: ClusterEvent): readonly Registration[] => {
    return [...this.#profiles.values()].flatMap((profile) => profile.matching(event));
  });

  /** The registrations of the plugins in the profile that have keys. */
  keyed(profile: string, plugins: readonly string[]): readonly Registration[] {
    const registrations = this.#profiles.get(profile)?.registrations ?? NONE;
    return registrations.filter(({ keys, plugin }) => keys !== undefined && plugins.includes(plugin));
  }

  /** What decides about the pods that the plugin of the profile gates; undefined if it does not say so. */
  gateKeys(profile: string, plugin: string): GateKeys | undefined {
    return this.#profiles.get(profile)?.gateKeys.get(plugin);
  }

  /** The registrations for the event, in any order; a plugin may have several. */
  matching(profile: string, event: ClusterEvent): readonly Registration[] {
    return this.#profiles.get(profile)?.matching(event) ?? NONE;
  }

  /**
   * Returns how a rejected pod is requeued after the event. `pods`: the number of equal pods for which the hints are
   * asked at once.
   */
  strategyFor(
    pod: QueuedPodInfo,
    event: ClusterEvent,
    oldObject: unknown,
    newObject: unknown,
    pods = 1,
  ): QueueingStrategy {
    if (pod.hasNoRejector) return 'QueueAfterBackoff';
    const { podInfo } = pod;
    if (isWildCard(event)) return isForAnother(podInfo, newObject) ? 'Skip' : 'QueueAfterBackoff';
    let strategy: QueueingStrategy = 'Skip';
    for (const registration of this.matching(schedulerNameOf(podInfo.pod), event)) {
      if (!pod.isRejectedBy(registration.plugin)) continue;
      const hint = this.#hintOf(registration, event, podInfo, oldObject, newObject, pods);
      if (hint === 'QueueSkip') continue;
      if (pod.pendingPlugins.has(registration.plugin)) return 'QueueImmediately';
      if (pod.pendingPlugins.size === 0) return 'QueueAfterBackoff';
      strategy = 'QueueAfterBackoff';
    }
    return strategy;
  }

  /** Whether all pods that are equal to this one, and rejected by the same plugins, have the same strategy. */
  isByTemplate(pod: QueuedPodInfo, event: ClusterEvent): boolean {
    return this.matching(schedulerNameOf(pod.podInfo.pod), event).every(
      ({ hint, reads, plugin }) => hint === undefined || reads === 'template' || !pod.isRejectedBy(plugin),
    );
  }

  #hintOf(
    registration: Registration,
    event: ClusterEvent,
    pod: PodInfo,
    oldObject: unknown,
    newObject: unknown,
    pods: number,
  ): QueueingHint {
    const modules = this.#modules;
    if (modules === null) return hintOf(registration, pod, oldObject, newObject);
    const startMillis = modules.loop.nowMillis();
    const hint = hintOf(registration, pod, oldObject, newObject);
    const durationMillis = (modules.loop.nowMillis() - startMillis) / pods;
    modules.observer?.hintGiven?.(registration.plugin, event.label, hint, durationMillis, pods);
    return hint;
  }

  /** The events that the plugin registered, in all profiles. */
  eventsOf(plugin: string): readonly ClusterEventWithHint[] {
    return getOrMake(this.#byPlugin, plugin, () => {
      const all = [...this.#profiles.values()].flatMap(({ registrations }) => registrations);
      return all.filter((registration) => registration.plugin === plugin);
    });
  }
}

class ProfileHints {
  readonly registrations: readonly Registration[];
  /** What decides about gated pods, by plugin. */
  readonly gateKeys: ReadonlyMap<string, GateKeys>;
  /** The registrations for the event. */
  readonly matching = memoized((event: ClusterEvent): readonly Registration[] => {
    return this.registrations.filter((registration) => matchesEvent(registration.event, event));
  });

  constructor(registrations: readonly Registration[], gateKeys: ReadonlyMap<string, GateKeys>) {
    this.registrations = registrations;
    this.gateKeys = gateKeys;
  }
}

function gateKeysOf(plugins: readonly Plugin[]): ReadonlyMap<string, GateKeys> {
  return new Map(
    pluginsWith(plugins, 'preEnqueue').flatMap(({ name, gateKeys }) =>
      gateKeys === undefined ? [] : [[name, gateKeys] as const],
    ),
  );
}

/** Whether a wildcard event is about another pod: the activation of a pod concerns only this pod. */
function isForAnother(pod: PodInfo, newObject: unknown): boolean {
  return newObject !== null && newObject !== undefined && !isSameUid(newObject as Pod, pod.uid);
}

/** Calls the QueueingHint function. If it fails, the pod is tried, since the event may help. @internal */
export function hintOf({ hint }: Registration, pod: PodInfo, oldObject: unknown, newObject: unknown): QueueingHint {
  try {
    return hint?.(pod, oldObject ?? undefined, newObject ?? undefined) ?? 'Queue';
  } catch {
    return 'Queue';
  }
}

const NODE_TAINT_UPDATE = clusterEvent('Node', ActionType.UpdateNodeTaint);

/**
 * A plugin that registers for new nodes but not for their taints gets taint updates, too, without a hint. Upstream
 * added this because of a former check that could hide a new node from pods that did not tolerate its taints.
 */
function registrationsOf(plugin: Plugin): Registration[] {
  const events = plugin.eventsToRegister?.() ?? EVERY_EVENT;
  const registrations = events.map((event) => combined(event, { plugin: plugin.name }));
  const registersFor = (action: number): boolean =>
    events.some(({ event }) => event.resource === 'Node' && (event.actionType & action) !== 0);
  if (registersFor(ActionType.Add) && !registersFor(ActionType.UpdateNodeTaint)) {
    registrations.push({ event: NODE_TAINT_UPDATE, plugin: plugin.name });
  }
  return registrations;
}
