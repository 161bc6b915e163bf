import type { Node } from '../../api/node.ts';
import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import { LOOKS_AT_NOTHING, type NodeParts } from '../../framework/plugin.ts';
import { NO_DOMAIN, type TopologyDomains } from '../../memory/topology-domains.ts';
import type { NodeAttributes } from '../verdicts/node-attributes.ts';

/** A condition for nodes that take part in a count; conditions with equal keys are equal. */
export interface NodeCondition {
  readonly key: string;
  /** The topology keys without which a node takes no part. */
  readonly topologyKeys: readonly string[];
  /** The parts of a node on which the answer depends beside these keys; null if it may depend on any. */
  readonly looksAt: NodeParts | null;
  includes(node: Node): boolean;
}

export const EVERY_NODE: NodeCondition = {
  key: '',
  topologyKeys: [],
  looksAt: LOOKS_AT_NOTHING,
  includes: () => true,
};

export interface TakesPartModules {
  readonly cluster: ClusterState;
  readonly attributes: NodeAttributes;
  readonly domains: (topologyKey: string) => TopologyDomains;
}

/** The answers for nodes that look the same. */
const INCLUDED = 1;
const LEFT_OUT = 2;

/**
 * Returns whether the node in a slot fulfils the condition, as long as nodes do not change. One of the nodes that look
 * the same to the condition is asked, and topology keys are read from columns, so that most nodes are not read.
 */
export function takesPart(
  { topologyKeys, looksAt, includes }: NodeCondition,
  { cluster, attributes, domains }: TakesPartModules,
): (slot: number) => boolean {
  const ask = (slot: number): boolean => {
    const node = cluster.nodeAt(slot)?.node;
    return node !== undefined && includes(node);
  };
  const looks = looksAt && attributes.combinationsOf(looksAt);
  if (looks === null) return ask;
  const columns = topologyKeys.map((key) => domains(key).column.values);
  const known = new Uint8Array(looks.count);
  return (slot) => {
    for (let i = 0; i < columns.length; i++) if ((columns[i] as Int32Array)[slot] === NO_DOMAIN) return false;
    const look = looks.of(slot);
    if (known[look] === 0) known[look] = ask(slot) ? INCLUDED : LEFT_OUT;
    return known[look] === INCLUDED;
  };
}
