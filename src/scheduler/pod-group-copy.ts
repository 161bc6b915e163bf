import type { Profiles } from '../core/profiles.ts';
import type { ExtenderCalls } from '../framework/extender-calls.ts';
import { PodInfo } from '../framework/pod-info.ts';
import type { StartedAttempt } from './cycle-steps.ts';
import type { SchedulerObserver } from './observer.ts';
import { type GroupTrial, type TrialRoom, tryMembers } from './pod-group-trial.ts';

/** A copy of the cluster, in which a group can be tried and nothing that happens matters. */
export class ClusterCopy {
  readonly #profiles: Profiles;
  readonly #room: TrialRoom;
  readonly #pods: readonly StartedAttempt[];

  constructor(profiles: Profiles, pods: readonly StartedAttempt[], observer: SchedulerObserver | null) {
    const { cluster } = profiles;
    this.#profiles = profiles;
    this.#pods = pods.flatMap((started) => startedIn(profiles, started) ?? []);
    this.#room = {
      profiles,
      assume: (pod, node, chargedBy) => {
        cluster.pods.assume(pod, node, chargedBy);
        return true;
      },
      forget: (pod) => cluster.pods.forget(pod),
      evictionOf: () => null,
      tried: (pod, nodeName) => observer?.memberTried?.(pod.pod, nodeName),
    };
  }

  remove(pods: readonly PodInfo[]): void {
    for (const { namespace, name } of pods) this.#profiles.cluster.pods.remove(namespace, name);
  }

  putBack(pods: readonly PodInfo[]): void {
    for (const { pod, nodeName } of pods) {
      const known = pod.spec?.nodeName === nodeName ? pod : { ...pod, spec: { ...pod.spec, nodeName } };
      this.#profiles.cluster.pods.add(known);
    }
  }

  /** `afterEach` is called with the number of pods that were tried, as long as they are on their places. */
  tryGroup(afterEach: (triedCount: number) => void = () => {}): ExtenderCalls<GroupTrial> {
    let triedCount = 0;
    const tried = (pod: PodInfo, nodeName: string): void => {
      this.#room.tried?.(pod, nodeName);
      afterEach(++triedCount);
    };
    return tryMembers({ ...this.#room, tried }, this.#pods);
  }
}

/** The attempt, as if the copy made it. */
function startedIn({ templates }: Profiles, started: StartedAttempt): StartedAttempt | null {
  const { pod } = started.pod;
  const template = templates.of(pod);
  if (template.profile === undefined) return null;
  const info = new PodInfo(pod, template.requirements, '');
  info.template = template;
  return { ...started, pod: info, template, profile: template.profile };
}
