import type { Pod } from '../../api/pod.ts';
import { schedulerName } from '../../core/profiles.ts';
import {
  ActionType,
  type ClusterEvent,
  type ClusterEventWithHint,
  clusterEvent,
  EVERY_EVENT,
  isWildCard,
  matchesEvent,
  type QueueingHint,
} from '../../framework/events.ts';
import type { Plugin } from '../../framework/plugin.ts';
import { isSameUid } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { SchedulingQueueModules } from './queue-modules.ts';
import type { QueuedPodInfo } from './queued-pod-info.ts';

/** What is to be done with a pod after an event. */
export type QueueingStrategy = 'Skip' | 'QueueAfterBackoff' | 'QueueImmediately';

/** What a plugin registered and how it answers. */
export interface Registration extends ClusterEventWithHint {
  readonly plugin: string;
}

const NONE: readonly Registration[] = [];

/** Who observes hints. */
type HintWatch = Pick<SchedulingQueueModules, 'observer' | 'loop'>;

/**
 * Which plugins registered for which event, by profile (upstream's QueueingHintMapPerProfile). What is found for an
 * event is kept: events are a few dozen objects.
 */
export class QueueingHints {
  readonly #profiles = new Map<string, ProfileHints>();
  readonly #pluginsByEvent = new Map<ClusterEvent, readonly string[]>();
  readonly #byPlugin = new Map<string, readonly ClusterEventWithHint[]>();
  readonly #watch: HintWatch | null;

  /** `plugins`: of each profile, by scheduler name. Without `asksHints` every event of interest is worth an attempt. */
  constructor(
    plugins: Iterable<readonly [string, readonly Plugin[]]>,
    asksHints = true,
    watch: HintWatch | null = null,
  ) {
    this.#watch = watch?.observer?.hintGiven === undefined ? null : watch;
    for (const [name, ofProfile] of plugins) {
      const registrations = ofProfile.flatMap(registrationsOf);
      const hints = asksHints ? registrations : registrations.map(({ event, plugin }) => ({ event, plugin }));
      this.#profiles.set(name, new ProfileHints(hints));
    }
  }

  /** Whether any plugin of any profile may think of another attempt. */
  isOfInterest(event: ClusterEvent): boolean {
    return isWildCard(event) || this.pluginsOf(event).length > 0;
  }

  /** Names of the plugins, of whatever profile, that registered for such events. */
  pluginsOf(event: ClusterEvent): readonly string[] {
    let known = this.#pluginsByEvent.get(event);
    if (known === undefined) {
      const matching = [...this.#profiles.values()].flatMap((profile) => profile.matching(event));
      known = [...new Set(matching.map(({ plugin }) => plugin))];
      this.#pluginsByEvent.set(event, known);
    }
    return known;
  }

  /** In no particular order; the same plugin may be there more than once. */
  matching(profile: string, event: ClusterEvent): readonly Registration[] {
    return this.#profiles.get(profile)?.matching(event) ?? NONE;
  }

  /** Whether an event makes another attempt worth while for a pod that was rejected. */
  strategyFor(pod: QueuedPodInfo, event: ClusterEvent, oldObject: unknown, newObject: unknown): QueueingStrategy {
    if (pod.hasNoRejector) return 'QueueAfterBackoff';
    const { podInfo } = pod;
    if (isWildCard(event)) return isForAnother(podInfo, newObject) ? 'Skip' : 'QueueAfterBackoff';
    let strategy: QueueingStrategy = 'Skip';
    for (const registration of this.matching(schedulerName(podInfo.pod), event)) {
      if (!pod.isRejectedBy(registration.plugin)) continue;
      if (this.#hintOf(registration, event, podInfo, oldObject, newObject) === 'QueueSkip') continue;
      if (pod.pendingPlugins.has(registration.plugin)) return 'QueueImmediately';
      if (pod.pendingPlugins.size === 0) return 'QueueAfterBackoff';
      strategy = 'QueueAfterBackoff';
    }
    return strategy;
  }

  #hintOf(registration: Registration, event: ClusterEvent, pod: PodInfo, oldObject: unknown, newObject: unknown) {
    const watch = this.#watch;
    if (watch === null) return hintOf(registration, pod, oldObject, newObject);
    const startMillis = watch.loop.nowMillis();
    const hint = hintOf(registration, pod, oldObject, newObject);
    watch.observer?.hintGiven?.(registration.plugin, event.label, hint, watch.loop.nowMillis() - startMillis);
    return hint;
  }

  /** Everything that plugins of this name registered. */
  eventsOf(plugin: string): readonly ClusterEventWithHint[] {
    let known = this.#byPlugin.get(plugin);
    if (known === undefined) {
      const all = [...this.#profiles.values()].flatMap(({ registrations }) => registrations);
      known = all.filter((registration) => registration.plugin === plugin);
      this.#byPlugin.set(plugin, known);
    }
    return known;
  }
}

class ProfileHints {
  readonly registrations: readonly Registration[];
  readonly #matching = new Map<ClusterEvent, readonly Registration[]>();

  constructor(registrations: readonly Registration[]) {
    this.registrations = registrations;
  }

  matching(event: ClusterEvent): readonly Registration[] {
    let known = this.#matching.get(event);
    if (known === undefined) {
      known = this.registrations.filter((registration) => matchesEvent(registration.event, event));
      this.#matching.set(event, known);
    }
    return known;
  }
}

/** Activation of one pod is news for that pod only. */
function isForAnother(pod: PodInfo, newObject: unknown): boolean {
  return newObject !== null && newObject !== undefined && !isSameUid(newObject as Pod, pod.uid);
}

/** What the plugin says; a hint that fails may have missed something, so the pod is tried. @internal */
export function hintOf({ hint }: Registration, pod: PodInfo, oldObject: unknown, newObject: unknown): QueueingHint {
  try {
    return hint?.(pod, oldObject ?? undefined, newObject ?? undefined) ?? 'Queue';
  } catch {
    return 'Queue';
  }
}

const NODE_TAINT_UPDATE = clusterEvent('Node', ActionType.UpdateNodeTaint);

/**
 * A plugin that registers for new nodes but not for their taints gets those as well, without hint: upstream's
 * remedy for a check, gone since, that could keep news of a node from pods that did not tolerate it.
 */
function registrationsOf(plugin: Plugin): Registration[] {
  const events = plugin.eventsToRegister?.() ?? EVERY_EVENT;
  const registrations = events.map((event) => ({ ...event, plugin: plugin.name }));
  const registersFor = (action: number): boolean =>
    events.some(({ event }) => event.resource === 'Node' && (event.actionType & action) !== 0);
  if (registersFor(ActionType.Add) && !registersFor(ActionType.UpdateNodeTaint)) {
    registrations.push({ event: NODE_TAINT_UPDATE, plugin: plugin.name });
  }
  return registrations;
}
