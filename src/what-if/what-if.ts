import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import type { PodDisruptionBudget } from '../api/pod-disruption-budget.ts';
import { podGroupKeyOf } from '../api/pod-group.ts';
import { type GroupExplanation, PodGroupScheduler } from '../cluster/pod-group-scheduler.ts';
import { addNodes } from './add-nodes.ts';
import { Budgets } from './budgets.ts';
import type { DaemonPods } from './daemon-pods.ts';
import { type DrainedNode, drainNodes } from './drain-nodes.ts';
import { countFates, type FateGroup, groupFates, notRunningCount, type Outcome, type PodFate } from './fate.ts';
import { fitGroups, type SampleGroup } from './fit-groups.ts';
import { fitMore } from './fit-more.ts';
import { waitingGroups } from './group-reason.ts';
import { loseNodes } from './lose-nodes.ts';
import { type Removal, removeNodes } from './remove-nodes.ts';
import { Trial, type TrialOptions } from './trial.ts';
import type { TrialScheduler } from './trial-scheduler.ts';

/** What is to be tried: changes in this order, and then at most one search. */
export interface Question {
  /** Nodes that are lost, all at the same time. */
  readonly lose: readonly string[];
  /** Nodes that are drained, in this order. */
  readonly drain: readonly string[];
  /** New pods of a workload. */
  readonly more: readonly Pod[];
  /** Removes the pods that a workload has too many. */
  readonly shrink: ((trial: Trial) => void) | undefined;
  readonly search: Search | undefined;
}

export type Search =
  | { readonly kind: 'removeNodes' }
  | { readonly kind: 'addNodes'; readonly shapes: readonly string[]; readonly daemonPods: DaemonPods }
  | { readonly kind: 'fit'; readonly pod: Pod; readonly group?: SampleGroup };

/** A cluster before anything is tried. */
export interface GivenCluster {
  readonly scheduler: TrialScheduler;
  /** The pods that have no node. */
  readonly pending: readonly Pod[];
  readonly budgets: readonly PodDisruptionBudget[];
}

/** Nodes that have to stay for the same reason. */
export interface KeptNodes {
  readonly reason: string;
  readonly count: number;
  readonly nodes: readonly string[];
}

export interface Answer {
  readonly nodes: { readonly before: number; readonly after: number };
  readonly pods: {
    /** Pods that have a node and pods that wait for one, before and after the change. */
    readonly placedBefore: number;
    readonly pendingBefore: number;
    readonly placedAfter: number;
    readonly pendingAfter: number;
  };
  /** The number of pods concerned, by outcome. */
  readonly counts: Readonly<Partial<Record<Outcome, number>>>;
  /** Pods that should run, and do not. */
  readonly notRunning: number;
  readonly groups: readonly FateGroup[];
  /** How it stands with PodGroups that wait in the end; absent: none does. */
  readonly podGroups?: readonly GroupExplanation[];
  readonly lost?: readonly string[];
  readonly drained?: readonly DrainedNode[];
  readonly removal?: {
    readonly removed: readonly string[];
    readonly steps: Removal['steps'];
    readonly bound: number;
    readonly kept: readonly KeptNodes[];
    /** How many pods would fit nowhere if all these nodes went at the same time instead of one after the other. */
    readonly pendingAtOnce: number;
  };
  readonly addition?: { readonly shapes: readonly string[]; readonly count: number };
  readonly fit?: {
    readonly pod: string;
    /** The group of which copies were placed; absent: the pod alone was copied. */
    readonly group?: string;
    readonly count: number;
    readonly reason: string;
    readonly nodes: readonly { readonly node: string; readonly pods: number }[];
  };
}

/** Tries a question on the cluster, which is changed by it. */
export async function answer(given: GivenCluster, question: Question, options: TrialOptions): Promise<Answer> {
  const base = new Trial(given.scheduler, given.pending, options);
  await base.settle();
  const { scheduler } = base;
  const before = countsOf(base);
  options.witness?.before(scheduler);
  const trial = base.restart();
  if (question.lose.length > 0) await loseNodes(trial, question.lose);
  const budgetsNow = () => new Budgets(given.budgets, [...scheduler.pods(), ...unplaced(trial)]);
  const drained =
    question.drain.length === 0
      ? undefined
      : await drainNodes(trial, question.drain, { budgets: budgetsNow(), evictsBare: options.replacesBare });
  for (const pod of question.more) trial.add(pod, 'its workload is scaled');
  question.shrink?.(trial);
  if (question.more.length > 0 || question.shrink !== undefined) await trial.settle();
  const found = await search(trial, question.search, budgetsNow, options);
  const groups = groupFates(found.fates);
  const after = countsOf(found.trial);
  const waiting = groups.filter(({ outcome }) => outcome === 'pending').map(({ pods }) => pods[0]?.pod ?? '');
  const podGroups = waitingGroups(found.trial.scheduler, found.trial.waiting);
  options.witness?.after(found.trial.scheduler, found.trial.waiting, waiting);
  return {
    nodes: { before: before.nodes, after: after.nodes - (found.removal?.removed.length ?? 0) },
    pods: {
      ...{ placedBefore: before.placed, pendingBefore: before.pending },
      ...{ placedAfter: after.placed, pendingAfter: after.pending },
    },
    counts: countFates(groups),
    notRunning: notRunningCount(groups),
    groups,
    ...(podGroups.length > 0 && { podGroups }),
    ...(question.lose.length > 0 && { lost: question.lose }),
    ...(drained !== undefined && { drained }),
    ...(found.removal !== undefined && { removal: found.removal }),
    ...(found.addition !== undefined && { addition: found.addition }),
    ...(found.fit !== undefined && { fit: found.fit }),
  };
}

interface Found extends Pick<Answer, 'removal' | 'addition' | 'fit'> {
  readonly trial: Trial;
  readonly fates: readonly PodFate[];
}

async function search(
  trial: Trial,
  wanted: Search | undefined,
  budgets: () => Budgets,
  options: TrialOptions,
): Promise<Found> {
  const { pause, replacesBare } = options;
  switch (wanted?.kind) {
    case undefined:
      return { trial, fates: trial.fates() };
    case 'addNodes': {
      const { count, trial: extended } = await addNodes(trial, wanted.shapes, wanted.daemonPods);
      const fates = [...extended.fates(), ...extended.stillWaiting()];
      return { trial: extended, fates, addition: { shapes: wanted.shapes, count } };
    }
    case 'fit': {
      const { pod, group } = wanted;
      const copy = trial.scheduler.fork();
      const isGroup = group !== undefined && copy instanceof PodGroupScheduler;
      const { count, byNode, reason } = await (isGroup ? fitGroups(copy, group, pause) : fitMore(copy, pod, pause));
      copy[Symbol.dispose]();
      const named = isGroup ? { pod: podKey(pod), group: podGroupKeyOf(pod) } : { pod: podKey(pod) };
      const nodes = [...byNode].map(([node, pods]) => ({ node, pods })).sort((a, b) => b.pods - a.pods);
      return { trial, fates: trial.fates(), fit: { ...named, count, reason, nodes } };
    }
    case 'removeNodes': {
      const removal = await removeNodes(trial.scheduler, { budgets, replacesBare, pause });
      const atOnce = new Trial(trial.scheduler.fork(), [], options);
      await loseNodes(atOnce, removal.removed);
      const pendingAtOnce = atOnce.waiting.length;
      atOnce.scheduler[Symbol.dispose]();
      return { trial, fates: [...trial.fates(), ...movesOf(removal)], removal: { ...shown(removal), pendingAtOnce } };
    }
  }
}

function movesOf({ moves }: Removal): readonly PodFate[] {
  return moves.map(({ pod, from, to }) => {
    return { pod: podKey(pod), outcome: 'moved', from, to, cause: 'its node is removed', reason: '' };
  });
}

function shown({ removed, steps, bound, kept }: Removal) {
  const byReason = new Map<string, string[]>();
  for (const [node, reason] of kept) {
    const nodes = byReason.get(reason);
    if (nodes === undefined) byReason.set(reason, [node]);
    else nodes.push(node);
  }
  const groups = [...byReason].map(([reason, nodes]): KeptNodes => ({ reason, count: nodes.length, nodes }));
  return { removed, steps, bound, kept: groups.sort((a, b) => b.count - a.count) };
}

function countsOf(trial: Trial) {
  const placed = trial.scheduler.pods().filter(({ node }) => node !== null).length;
  return { nodes: trial.scheduler.nodes().length, placed, pending: trial.waiting.length };
}

/** Pods that wait count among those that a budget covers. */
function unplaced(trial: Trial) {
  return trial.waiting
    .filter(({ metadata }) => !trial.scheduler.has('Pod', metadata?.name ?? '', metadata?.namespace ?? 'default'))
    .map((pod) => ({ pod, node: null, nominatedNode: null }));
}
