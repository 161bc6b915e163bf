import type { NodeState } from '../../caller/cluster-view.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { Pause } from '../trial.ts';
import { fittingNodes, labelled, newNodes, uncordoned } from './node-changes.ts';
import {
  looserPodAffinity,
  looserSelectors,
  looserSpread,
  tolerations,
  withoutGates,
  withoutHostPorts,
} from './pod-changes.ts';
import { CHANGE_KINDS, type Change, changedPod, type Remedy } from './remedy.ts';
import type { RemedyTrial, Tried } from './remedy-trial.ts';
import { smallerRequests } from './smaller-requests.ts';

/** More changes at once than a person would make. */
const DEPTH_MAX = 3;
/** Combinations that are tried at each depth. */
const TRIED_MAX = 60;
/** Remedies of one kind that are returned. */
const SAME_KIND_MAX = 3;

interface Attempt {
  readonly changes: readonly Change[];
  readonly tried: Tried;
}

/**
 * Finds the smallest changes that place a pod that fits nowhere, or the group that has no place: one, or if one is not
 * enough two, or three. What is tried follows from why the nodes reject the pod, and after a change from why they still
 * do. Each remedy was verified by a decision.
 */
export async function findRemedies(trial: RemedyTrial, pause: Pause): Promise<readonly Remedy[]> {
  let open: readonly Attempt[] = [{ changes: [], tried: trial.after([]) }];
  for (let depth = 1; depth <= DEPTH_MAX; depth++) {
    const found: { readonly remedy: Remedy; readonly changes: readonly Change[] }[] = [];
    const failed: Attempt[] = [];
    const seen = new Set<string>();
    for (const { changes, tried } of open) {
      for (const change of nextChanges(trial, tried, changes)) {
        const all = [...changes, change];
        const key = all
          .map(({ text }) => text)
          .sort()
          .join('\n');
        if (seen.has(key) || seen.size >= TRIED_MAX * depth) continue;
        seen.add(key);
        await pause();
        const result = trial.after(all);
        if (result.isPlaced) found.push({ remedy: remedyOf(all, result), changes: all });
        else failed.push({ changes: all, tried: result });
      }
    }
    if (found.length > 0) return chosen(found);
    open = failed;
  }
  return [];
}

function remedyOf(changes: readonly Change[], { explanation, group }: Tried): Remedy {
  const shown = changes.map(({ kind, text }) => ({ kind, text }));
  const { best, feasible } = explanation;
  return { changes: shown, node: best[0] ?? '', feasibleNodes: feasible.length, ...(group && { group }) };
}

/** The smallest remedies of each combination of kinds. */
function chosen(found: readonly { readonly remedy: Remedy; readonly changes: readonly Change[] }[]): readonly Remedy[] {
  const rank = (changes: readonly Change[]) => changes.reduce((sum, { kind }) => sum + CHANGE_KINDS.indexOf(kind), 0);
  const cost = (changes: readonly Change[]) => changes.reduce((sum, each) => sum + each.cost, 0);
  const sorted = found.toSorted((a, b) => rank(a.changes) - rank(b.changes) || cost(a.changes) - cost(b.changes));
  const byKinds = groupBy(sorted, ({ changes }) =>
    changes
      .map(({ kind }) => kind)
      .sort()
      .join(),
  );
  return [...byKinds.values()].flatMap((group) => group.slice(0, SAME_KIND_MAX).map(({ remedy }) => remedy));
}

/** Changes that might help against what rejected the pod after the changes until now. */
function nextChanges(
  trial: RemedyTrial,
  { pod: original, explanation, neededCount, missingCount }: Tried,
  changes: readonly Change[],
): readonly Change[] {
  const pod = changedPod(original, changes);
  if (explanation.preEnqueue !== null) return withoutGates(pod);
  const rejecting = groupBy(
    explanation.nodes.flatMap(({ node, rejected }) => (rejected === null ? [] : [{ node, plugin: rejected.plugin }])),
    ({ plugin }) => plugin,
  );
  const by = (plugin: string): readonly NodeState[] =>
    (rejecting.get(plugin) ?? []).flatMap(({ node }) => trial.node(node) ?? []);
  const touched = new Set(changes.flatMap(({ nodes = [] }) => nodes.map(({ metadata }) => metadata?.name)));
  const untouched = (nodes: readonly NodeState[]) => nodes.filter(({ name }) => !touched.has(name));
  const hasNew = changes.some(({ kind }) => kind === 'newNode');
  const selecting = by('NodeAffinity');
  return [
    ...uncordoned(untouched(by('NodeUnschedulable'))),
    ...tolerations(pod, by('TaintToleration')),
    ...labelled(pod, untouched(selecting)),
    ...(selecting.length > 0 || explanation.preFilter !== null ? looserSelectors(pod) : []),
    ...(rejecting.has('PodTopologySpread') ? looserSpread(pod) : []),
    ...(rejecting.has('InterPodAffinity') ? looserPodAffinity(pod) : []),
    ...(rejecting.has('NodePorts') ? withoutHostPorts(pod) : []),
    ...smallerRequests(pod, by('NodeResourcesFit'), neededCount),
    ...(hasNew ? [] : [...newNodes(trial, pod, missingCount), fittingNodes(trial, pod, missingCount)]),
  ];
}
