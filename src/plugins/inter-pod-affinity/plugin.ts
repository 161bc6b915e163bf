import type { AffinityForm, AffinityViolation } from '../../framework/column-forms.ts';
import { type CycleState, missingState, stateKey } from '../../framework/cycle-state.ts';
import type { ClusterEventWithHint } from '../../framework/events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type {
  FilterPlugin,
  PreFilterExtensions,
  PreFilterPlugin,
  PreScorePlugin,
  ScorePlugin,
  Snapshot,
} from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { errorStatus, type Status, skip, unresolvable, unschedulable } from '../../framework/status.ts';
import { AntiAffinePods } from './anti-affine-pods.ts';
import { DEFAULT_INTER_POD_AFFINITY_ARGS, type InterPodAffinityArgs } from './args.ts';
import { RequiredAffinity } from './filtering.ts';
import { INTER_POD_AFFINITY_EVENTS } from './hints.ts';
import { normalizeAffinityScores, PreferredAffinity } from './scoring.ts';
import { affinityTermsOf, unrolledTermsOf } from './terms.ts';

export const INTER_POD_AFFINITY = 'InterPodAffinity';

const REQUIRED = stateKey<RequiredAffinity>('InterPodAffinity/required');
const PREFERRED = stateKey<PreferredAffinity>('InterPodAffinity/preferred');

const REJECTIONS: Readonly<Record<AffinityViolation, Status>> = {
  affinity: unresolvable(INTER_POD_AFFINITY, "node(s) didn't match pod affinity rules"),
  antiAffinity: unschedulable(INTER_POD_AFFINITY, "node(s) didn't match pod anti-affinity rules"),
  existingAntiAffinity: unschedulable(INTER_POD_AFFINITY, "node(s) didn't satisfy existing pods anti-affinity rules"),
};

/** Places pods near other pods or apart from them: required terms reject nodes, preferred ones score them. */
export class InterPodAffinity
  implements PreFilterPlugin, PreFilterExtensions, FilterPlugin, PreScorePlugin, ScorePlugin
{
  readonly name = INTER_POD_AFFINITY;
  readonly filterReads = 'kernel';
  readonly scoreReads = 'kernel';
  readonly topology: AffinityForm;
  readonly #snapshot: Snapshot;
  readonly #antiAffinePods = new AntiAffinePods();

  constructor(snapshot: Snapshot, args: Partial<InterPodAffinityArgs> = {}) {
    this.#snapshot = snapshot;
    this.topology = { kind: 'affinity', ...DEFAULT_INTER_POD_AFFINITY_ARGS, ...args, rejections: REJECTIONS };
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return INTER_POD_AFFINITY_EVENTS;
  }

  preFilter(state: CycleState, pod: PodInfo): Status | null {
    const { error } = affinityTermsOf(pod);
    if (error !== null) return unresolvable(this.name, `parsing pod: ${error}`);
    const required = new RequiredAffinity(pod, unrolledTermsOf(pod, this.#snapshot.objects));
    for (const node of this.#snapshot.nodeInfos()) {
      const others = required.hasTerms ? node.pods : this.#antiAffinePods.on(node);
      for (const other of others) required.update(other, node, 1);
    }
    if (required.isTrivial) return skip(this.name);
    state.write(REQUIRED, required);
    return null;
  }

  addPod(state: CycleState, _podToSchedule: PodInfo, podToAdd: PodInfo, node: NodeInfo): null {
    state.readWritten(REQUIRED).update(podToAdd, node, 1);
    return null;
  }

  removePod(state: CycleState, _podToSchedule: PodInfo, podToRemove: PodInfo, node: NodeInfo): null {
    state.readWritten(REQUIRED).update(podToRemove, node, -1);
    return null;
  }

  filter(state: CycleState, _pod: PodInfo, node: NodeInfo): Status | null {
    const required = state.read(REQUIRED);
    if (required === undefined) return errorStatus(this.name, missingState(`PreFilter${this.name}`));
    const violation = required.violation(node.node);
    return violation === null ? null : REJECTIONS[violation];
  }

  preScore(state: CycleState, pod: PodInfo): Status | null {
    const { preferredAffinity, preferredAntiAffinity, error } = affinityTermsOf(pod);
    if (error !== null) return errorStatus(this.name, `failed to parse pod: ${error}`);
    const hasPreferences = preferredAffinity.length > 0 || preferredAntiAffinity.length > 0;
    const { hardPodAffinityWeight, ignorePreferredTermsOfExistingPods } = this.topology;
    if (ignorePreferredTermsOfExistingPods && !hasPreferences) return skip(this.name);
    const terms = unrolledTermsOf(pod, this.#snapshot.objects);
    const preferred = new PreferredAffinity(pod, terms, hardPodAffinityWeight);
    for (const node of this.#snapshot.nodeInfos()) {
      for (const other of node.pods) preferred.add(other, node);
    }
    if (preferred.isEmpty) return skip(this.name);
    state.write(PREFERRED, preferred);
    return null;
  }

  scoreFailure(state: CycleState): string | null {
    const isMissing = state.read(PREFERRED) === undefined;
    return isMissing ? 'failed to read "PreScoreInterPodAffinity" from cycleState: not found' : null;
  }

  score(state: CycleState, _pod: PodInfo, node: NodeInfo): number {
    return state.readWritten(PREFERRED).score(node);
  }

  normalizeScores(_state: CycleState, _pod: PodInfo, _nodes: readonly NodeInfo[], raw: readonly number[]): number[] {
    return normalizeAffinityScores(raw);
  }
}
