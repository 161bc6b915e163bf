/**
 *   moved     it has another node than before
 *   placed    it had no node, or is new, and has one now
 *   pending   it is to run, and fits nowhere
 *   lost      it is gone, and no controller makes it again
 *   withNode  it belongs to its node (DaemonSet, static pod), and is gone with it
 *   blocked   it could not be evicted, and stays
 *   removed   it was not wanted any more
 */
export type Outcome = 'moved' | 'placed' | 'pending' | 'lost' | 'withNode' | 'blocked' | 'removed';

/** What becomes of one pod. */
export interface PodFate {
  /** Namespace and name. */
  readonly pod: string;
  readonly outcome: Outcome;
  /** The node that it had; null for none. */
  readonly from: string | null;
  /** The node that it has; null for none. */
  readonly to: string | null;
  /** What has happened to it. */
  readonly cause: string;
  /** Why it does not run, or could not be evicted; empty for a pod that runs. */
  readonly reason: string;
  /** The pod that preempted it. */
  readonly preemptedBy?: string;
}

type Member = Omit<PodFate, 'outcome' | 'cause' | 'reason'>;

/** Pods that fare alike for the same reason. */
export interface FateGroup {
  readonly outcome: Outcome;
  readonly cause: string;
  /** The reason of the first of them; in those of the others, other numbers of nodes may stand. */
  readonly reason: string;
  readonly count: number;
  readonly pods: readonly Member[];
}

/** What a reader looks for comes first. */
const ORDER: readonly Outcome[] = ['pending', 'lost', 'blocked', 'withNode', 'removed', 'placed', 'moved'];

/** Outcomes with which a pod that ran before, or is wanted, does not run. */
const NOT_RUNNING: ReadonlySet<Outcome> = new Set(['pending', 'lost', 'blocked']);

/** The number of nodes in front of each part of a reason: nodes differ between pods that fare alike. */
const NODE_COUNT = /(^|, )\d+ (?=\S)/g;

/** The pods by outcome, cause and reason; of one outcome the largest group first. */
export function groupFates(fates: Iterable<PodFate>): readonly FateGroup[] {
  const groups = new Map<string, Pick<FateGroup, 'outcome' | 'cause' | 'reason'> & { readonly pods: Member[] }>();
  for (const { outcome, cause, reason, ...member } of fates) {
    const key = `${outcome}\0${cause}\0${reason.replace(NODE_COUNT, '$1')}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { outcome, cause, reason, pods: [member] });
    else group.pods.push(member);
  }
  const rank = ({ outcome }: { readonly outcome: Outcome }) => ORDER.indexOf(outcome);
  return [...groups.values()]
    .sort((a, b) => rank(a) - rank(b) || b.pods.length - a.pods.length)
    .map(({ outcome, cause, reason, pods }) => ({ outcome, cause, reason, count: pods.length, pods }));
}

export function countFates(groups: readonly FateGroup[]): Readonly<Partial<Record<Outcome, number>>> {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const { outcome, count } of groups) counts[outcome] = (counts[outcome] ?? 0) + count;
  return counts;
}

/** The number of pods that do not run, and should. */
export function notRunningCount(groups: readonly FateGroup[]): number {
  return groups.reduce((sum, { outcome, count }) => sum + (NOT_RUNNING.has(outcome) ? count : 0), 0);
}
