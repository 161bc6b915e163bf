import {
  compilePreferredNodeAffinity,
  compileRequiredNodeAffinity,
  type NodeSelectorTerm,
} from '../../../api/node-selector.ts';
import type { Pod } from '../../../api/pod.ts';
import { assert } from '../../../lib/assert.ts';
import { type CycleState, stateKey } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type {
  FilterPlugin,
  PreFilterPlugin,
  PreFilterResult,
  PreScorePlugin,
  ScorePlugin,
} from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { errorStatus, type Status, skip, unresolvable } from '../../framework/status.ts';
import { NODE_AFFINITY } from '../names.ts';

const REQUIRED = stateKey<ReturnType<typeof compileRequiredNodeAffinity>>('NodeAffinity/required');
const PREFERRED = stateKey<(node: NodeInfo) => number>('NodeAffinity/preferred');

/** nodeSelector and node affinity: required terms reject, preferred terms add their weights. */
export class NodeAffinity implements PreFilterPlugin, FilterPlugin, PreScorePlugin, ScorePlugin {
  readonly name = NODE_AFFINITY;
  readonly filterReads = 'node';
  readonly scoreReads = 'node';
  readonly normalize = { reverse: false };

  dependsOn(pod: Pod): unknown {
    return [pod.spec?.nodeSelector, pod.spec?.affinity?.nodeAffinity];
  }

  preFilter(state: CycleState, pod: PodInfo): Status | PreFilterResult | null {
    const spec = pod.pod.spec ?? {};
    const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    if (!required && !spec.nodeSelector) return skip(this.name);
    state.write(REQUIRED, compileRequiredNodeAffinity(spec));
    const nodeNames = nodeNamesOf(required?.nodeSelectorTerms ?? []);
    if (nodeNames === null) return null;
    return nodeNames.size > 0 ? { nodeNames } : unresolvable(this.name, 'pod affinity terms conflict');
  }

  filter(state: CycleState, _pod: PodInfo, node: NodeInfo): Status | null {
    const required = state.read(REQUIRED);
    assert(required !== undefined, 'NodeAffinity filter without its PreFilter');
    return required.match(node.node)
      ? null
      : unresolvable(this.name, "node(s) didn't match Pod's node affinity/selector");
  }

  preScore(state: CycleState, pod: PodInfo): Status | null {
    const terms = pod.pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    if (terms.length === 0) return skip(this.name);
    const preferred = compilePreferredNodeAffinity(terms);
    if ('error' in preferred) return errorStatus(this.name, preferred.error);
    state.write(PREFERRED, (node) => preferred.score(node.node));
    return null;
  }

  score(state: CycleState, _pod: PodInfo, node: NodeInfo): number {
    const preferred = state.read(PREFERRED);
    assert(preferred !== undefined, 'NodeAffinity score without its PreScore');
    return preferred(node);
  }
}

/** Nodes that the terms name in matchFields; null when some term names none, so that every node is possible. */
function nodeNamesOf(terms: readonly NodeSelectorTerm[]): Set<string> | null {
  if (terms.length === 0) return null;
  const union = new Set<string>();
  for (const term of terms) {
    const fields = (term.matchFields ?? []).filter(({ key, operator }) => key === 'metadata.name' && operator === 'In');
    const [first, ...others] = fields.map(({ values }) => values ?? []);
    if (first === undefined) return null;
    for (const name of first) if (others.every((values) => values.includes(name))) union.add(name);
  }
  return union;
}
