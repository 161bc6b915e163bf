import { labelReadsOf } from '../../api/label-reads.ts';
import type { Node } from '../../api/node.ts';
import {
  compilePreferredNodeAffinity,
  compileRequiredNodeAffinity,
  type NodeAffinity as NodeAffinityRules,
  type NodeSelectorTerm,
  type PreferredNodeAffinity,
  type PreferredSchedulingTerm,
  type RequiredNodeAffinity,
} from '../../api/node-selector.ts';
import type { Pod } from '../../api/pod.ts';
import { type CycleState, stateKey } from '../../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint } from '../../framework/events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type {
  FilterPlugin,
  NodeParts,
  PreFilterPlugin,
  PreFilterResult,
  PreScorePlugin,
  ScorePlugin,
} from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { errorStatus, type Status, skip, unresolvable } from '../../framework/status.ts';
import { assert } from '../../lib/assert.ts';
import { type NodeAffinityArgs, nodeAffinityArgs } from './args.ts';
import { NODE_KEYS } from './hint-keys.ts';

export const NODE_AFFINITY = 'NodeAffinity';

const ENFORCED_AFFINITY = unresolvable(NODE_AFFINITY, "node(s) didn't match scheduler-enforced node affinity");
const POD_AFFINITY = unresolvable(NODE_AFFINITY, "node(s) didn't match Pod's node affinity/selector");
const REQUIRED = stateKey<RequiredNodeAffinity>('NodeAffinity/required');
const PREFERRED = stateKey<PreferredNodeAffinity>('NodeAffinity/preferred');

/** Applies nodeSelector and node affinity: required terms reject nodes, preferred terms add their weights. */
export class NodeAffinity implements PreFilterPlugin, FilterPlugin, PreScorePlugin, ScorePlugin {
  readonly name = NODE_AFFINITY;
  readonly filterReads = 'node';
  readonly scoreReads = 'node';
  readonly normalize = { reverse: false };
  readonly #addedAffinity: NodeAffinityRules | undefined;
  readonly #addedRequired: RequiredNodeAffinity | null;
  readonly #addedPreferred: PreferredNodeAffinity | null;

  /** The terms of `addedAffinity` must be valid. */
  constructor({ addedAffinity }: NodeAffinityArgs = nodeAffinityArgs.zero) {
    this.#addedAffinity = addedAffinity;
    const { requiredDuringSchedulingIgnoredDuringExecution: required } = addedAffinity ?? {};
    const { preferredDuringSchedulingIgnoredDuringExecution: preferred } = addedAffinity ?? {};
    this.#addedRequired = required ? compileRequiredNodeAffinity({ affinity: { nodeAffinity: addedAffinity } }) : null;
    const compiled = preferred?.length ? compilePreferredNodeAffinity(preferred) : null;
    assert(compiled === null || !('error' in compiled), 'addedAffinity was validated');
    this.#addedPreferred = compiled;
  }

  dependsOn(pod: Pod): unknown {
    return [pod.spec?.nodeSelector, pod.spec?.affinity?.nodeAffinity];
  }

  looksAt(pod: Pod): NodeParts | null {
    const { nodeSelector, affinity } = pod.spec ?? {};
    const terms = [affinity?.nodeAffinity, this.#addedAffinity].flatMap((rules) => [
      ...(rules?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []),
      ...(rules?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ preference }) => preference),
    ]);
    const reads = labelReadsOf(nodeSelector, terms);
    return reads && { taints: false, labels: reads.keys, values: reads.values };
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [
      eventWithHint(
        'Node',
        ActionType.Add | ActionType.UpdateNodeLabel,
        (pod, oldNode, newNode) => this.#startsToMatch(pod, oldNode, newNode),
        { reads: 'template', keys: NODE_KEYS },
      ),
    ];
  }

  /**
   * Whether the node matches now and did not match before. As upstream, the added affinity is not compared with the old
   * node. Throws if only a malformed term could match.
   */
  #startsToMatch({ pod }: PodInfo, oldNode: Node | undefined, newNode: Node): boolean {
    if (this.#addedRequired !== null && !this.#addedRequired.match(newNode)) return false;
    const required = compileRequiredNodeAffinity(pod.spec ?? {});
    if (!required.matchStrictly(newNode)) return false;
    return oldNode === undefined || !required.matchStrictly(oldNode);
  }

  preFilter(state: CycleState, pod: PodInfo): Status | PreFilterResult | null {
    const spec = pod.pod.spec ?? {};
    const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    if (!required && !spec.nodeSelector && this.#addedRequired === null) return skip(this.name);
    state.write(REQUIRED, compileRequiredNodeAffinity(spec));
    const nodeNames = nodeNamesOf(required?.nodeSelectorTerms ?? []);
    if (nodeNames === null) return null;
    return nodeNames.size > 0 ? { nodeNames } : unresolvable(this.name, 'pod affinity terms conflict');
  }

  /** In a profile without PreFilter its work is done here, as upstream. */
  filter(state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    if (this.#addedRequired !== null && !this.#addedRequired.match(node.node)) {
      return ENFORCED_AFFINITY;
    }
    const required = state.read(REQUIRED) ?? compileRequiredNodeAffinity(pod.pod.spec ?? {});
    return required.match(node.node) ? null : POD_AFFINITY;
  }

  preScore(state: CycleState, pod: PodInfo): Status | null {
    const preferred = preferredAffinity(pod);
    if ('error' in preferred) return errorStatus(this.name, preferred.error);
    if (preferredTerms(pod).length === 0 && this.#addedPreferred === null) return skip(this.name);
    state.write(PREFERRED, preferred);
    return null;
  }

  /** In a profile without PreScore its work is done here, as upstream. */
  scoreFailure(state: CycleState, pod: PodInfo): string | null {
    const preferred = state.read(PREFERRED) ?? preferredAffinity(pod);
    if ('error' in preferred) return preferred.error;
    state.write(PREFERRED, preferred);
    return null;
  }

  score(state: CycleState, _pod: PodInfo, { node }: NodeInfo): number {
    return (this.#addedPreferred?.score(node) ?? 0) + (state.read(PREFERRED)?.score(node) ?? 0);
  }
}

function preferredAffinity(pod: PodInfo): ReturnType<typeof compilePreferredNodeAffinity> {
  return compilePreferredNodeAffinity(preferredTerms(pod));
}

function preferredTerms({ pod }: PodInfo): readonly PreferredSchedulingTerm[] {
  return pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
}

/** The nodes that the terms name in matchFields; null if some term names none, so that every node is possible. */
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
