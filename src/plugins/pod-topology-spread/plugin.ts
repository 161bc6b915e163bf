import type { TopologySpreadConstraint } from '../../api/topology-spread.ts';
import type { SpreadConstraint, SpreadForm, SpreadViolation } from '../../framework/column-forms.ts';
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
import type { PodTopologySpreadArgs } from './args.ts';
import { type Action, compileConstraints } from './constraints.ts';
import { buildDefaultConstraints, hasOwnConstraints, SYSTEM_DEFAULT_CONSTRAINTS } from './default-constraints.ts';
import { HardSpread } from './filtering.ts';
import { podTopologySpreadEvents } from './hints.ts';
import { SoftSpread } from './scoring.ts';

export const POD_TOPOLOGY_SPREAD = 'PodTopologySpread';

const HARD_SPREAD = stateKey<HardSpread>('PodTopologySpread/hard');
const SOFT_SPREAD = stateKey<SoftSpread>('PodTopologySpread/soft');
const CONSTRAINTS_NOT_MATCHED = "node(s) didn't match pod topology spread constraints";
const REJECTIONS: Readonly<Record<SpreadViolation, Status>> = {
  missingLabel: unresolvable(POD_TOPOLOGY_SPREAD, `${CONSTRAINTS_NOT_MATCHED} (missing required label)`),
  skew: unschedulable(POD_TOPOLOGY_SPREAD, CONSTRAINTS_NOT_MATCHED),
};

type Points = PreFilterPlugin & PreFilterExtensions & FilterPlugin & PreScorePlugin & ScorePlugin;

/** Spreads pods evenly over domains of nodes: hard constraints reject nodes, soft ones score them. */
export class PodTopologySpread implements Points {
  readonly name = POD_TOPOLOGY_SPREAD;
  readonly filterReads = 'kernel';
  readonly scoreReads = 'kernel';
  readonly topology: SpreadForm = {
    kind: 'spread',
    constraints: (pod, action) => this.#constraints(pod, action),
    requiresAllKeys: (pod) => this.#requiresAllKeys(pod),
    rejections: REJECTIONS,
  };
  readonly #snapshot: Snapshot;
  readonly #isSystemDefaulted: boolean;
  readonly #defaultConstraints: readonly TopologySpreadConstraint[];

  constructor(
    snapshot: Snapshot,
    { defaultingType = 'System', defaultConstraints = [] }: Partial<PodTopologySpreadArgs> = {},
  ) {
    this.#snapshot = snapshot;
    this.#isSystemDefaulted = defaultingType === 'System';
    this.#defaultConstraints = this.#isSystemDefaulted ? SYSTEM_DEFAULT_CONSTRAINTS : defaultConstraints;
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return podTopologySpreadEvents((pod) => this.#hardConstraints(pod));
  }

  preFilter(state: CycleState, pod: PodInfo): Status | null {
    const constraints = this.#constraints(pod, 'DoNotSchedule');
    if ('error' in constraints) return errorStatus(this.name, `get constraints from pod: ${constraints.error}`);
    if (constraints.length === 0) return skip(this.name);
    state.write(HARD_SPREAD, HardSpread.count(pod, constraints, this.#snapshot.nodeInfos()));
    return null;
  }

  addPod(state: CycleState, podToSchedule: PodInfo, podToAdd: PodInfo, node: NodeInfo): null {
    state.readWritten(HARD_SPREAD).update(podToSchedule, podToAdd, node, 1);
    return null;
  }

  removePod(state: CycleState, podToSchedule: PodInfo, podToRemove: PodInfo, node: NodeInfo): null {
    state.readWritten(HARD_SPREAD).update(podToSchedule, podToRemove, node, -1);
    return null;
  }

  filter(state: CycleState, _pod: PodInfo, node: NodeInfo): Status | null {
    const spread = state.read(HARD_SPREAD);
    if (spread === undefined) {
      return errorStatus(this.name, 'reading "PreFilterPodTopologySpread" from cycleState: not found');
    }
    const violation = spread.violation(node.node);
    return violation === null ? null : REJECTIONS[violation];
  }

  preScore(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): Status | null {
    const constraints = this.#constraints(pod, 'ScheduleAnyway');
    if ('error' in constraints) return errorStatus(this.name, `calculating preScoreState: ${constraints.error}`);
    if (constraints.length === 0) return skip(this.name);
    const all = this.#snapshot.nodeInfos();
    state.write(SOFT_SPREAD, new SoftSpread(pod, constraints, nodes, all, this.#requiresAllKeys(pod)));
    return null;
  }

  /** The system's default constraints score nodes without a zone by hostname alone; others leave such nodes out. */
  #requiresAllKeys(pod: PodInfo): boolean {
    return hasOwnConstraints(pod) || !this.#isSystemDefaulted;
  }

  scoreFailure(state: CycleState): string | null {
    return state.read(SOFT_SPREAD) === undefined ? missingState(`PreScore${this.name}`) : null;
  }

  score(state: CycleState, _pod: PodInfo, node: NodeInfo): number {
    return state.readWritten(SOFT_SPREAD).score(node);
  }

  normalizeScores(state: CycleState, _pod: PodInfo, nodes: readonly NodeInfo[], raw: readonly number[]): number[] {
    return state.readWritten(SOFT_SPREAD).normalize(nodes, raw);
  }

  #hardConstraints(pod: PodInfo): readonly SpreadConstraint[] {
    const constraints = this.#constraints(pod, 'DoNotSchedule');
    if ('error' in constraints) throw new Error(constraints.error);
    return constraints;
  }

  /** The constraints for the action: the pod's own, or the default ones if the pod has none of any action. */
  #constraints(pod: PodInfo, action: Action): SpreadConstraint[] | { readonly error: string } {
    const kind = action === 'DoNotSchedule' ? 'hard' : 'soft';
    if (hasOwnConstraints(pod)) {
      const constraints = compileConstraints(pod.pod.spec?.topologySpreadConstraints ?? [], pod.pod, action);
      if (!('error' in constraints)) return constraints;
      return { error: `obtaining pod's ${kind} topology spread constraints: ${constraints.error}` };
    }
    const constraints = buildDefaultConstraints(this.#defaultConstraints, pod.pod, action, this.#snapshot.objects);
    if (!('error' in constraints)) return constraints;
    return { error: `setting default ${kind} topology spread constraints: ${constraints.error}` };
  }
}
