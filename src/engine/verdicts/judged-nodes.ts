import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeParts } from '../../framework/plugin.ts';
import type { Combinations, NodeAttributes } from './node-attributes.ts';
import type { NodeJudge, NodeScorer } from './node-judge.ts';
import { NO_NODE_ID } from './verdict-table.ts';

/** What a filter that has accepted a node says of nodes that look the same; ids are smaller. */
const ACCEPTED = 0xffff;

interface JudgedNodesModules {
  readonly cluster: ClusterState;
  readonly attributes: NodeAttributes;
}

/** With so many slots for each look, one walk over them costs more than to ask every plugin about every look. */
const SLOTS_PER_LOOK = 128;

/**
 * Writes the verdict ids of all nodes, without images. Filters may read no more of pods than host ports. With
 * `slotsPerLook` slots for each look of nodes to all plugins, plugins are asked about each of these looks.
 */
export function judgeNodes(
  judge: NodeJudge,
  modules: JudgedNodesModules,
  ids: Uint16Array,
  slotsPerLook = SLOTS_PER_LOOK,
): void {
  const { cluster } = modules;
  const { slotCount } = cluster;
  ids.fill(NO_NODE_ID, 0, slotCount);
  const looks = looksOf(modules, judge.parts);
  if (looks !== null && looks.count * slotsPerLook <= slotCount) {
    askOnce(cluster, looks, ids, (node) => judge.idOfLook(node));
  } else judgeByFilters(judge, modules, ids);
  if (judge.readsPods) addPods(judge, cluster, ids);
  if (cluster.nodeCount === slotCount) return;
  for (let slot = 0; slot < slotCount; slot++) if (cluster.nodeAt(slot) === undefined) ids[slot] = NO_NODE_ID;
}

/**
 * Asks filter by filter, so that each is asked once for all nodes that look the same to it, and not for all that look
 * the same to every plugin, which may be many more.
 */
function judgeByFilters(judge: NodeJudge, modules: JudgedNodesModules, ids: Uint16Array): void {
  const { cluster } = modules;
  for (const filter of judge.nodeFilters) {
    const seen = looksOf(modules, judge.partsOf(filter.plugin));
    askOnce(cluster, seen, ids, (node) => judge.rejectionBy(filter, node) ?? ACCEPTED);
  }
  const looks = looksOf(modules, judge.scoredParts);
  const scoreBy = scoredOnce(judge, modules);
  askOnce(cluster, looks, ids, (node) => judge.idOfScores(node, scoreBy));
}

/** No plugin's score. */
const UNKNOWN = -1;

interface KnownScores {
  readonly looks: Combinations;
  readonly byLook: Int32Array;
}

/** Asks each plugin for its score of a node once for all nodes that look the same to this plugin alone. */
function scoredOnce(judge: NodeJudge, modules: JudgedNodesModules): (scorer: NodeScorer, node: NodeInfo) => number {
  const known: (KnownScores | undefined)[] = [];
  for (const { plugin, position } of judge.nodeScorers) {
    const looks = looksOf(modules, judge.scoredPartsOf(plugin));
    if (looks === null || looks.count > modules.cluster.slotCount) continue;
    known[position] = { looks, byLook: new Int32Array(looks.count).fill(UNKNOWN) };
  }
  return ({ plugin, position }, node) => {
    const seen = known[position];
    if (seen === undefined) return judge.scoreBy(plugin, node);
    const look = seen.looks.of(node.slot);
    let score = seen.byLook[look] as number;
    if (score === UNKNOWN) {
      score = judge.scoreBy(plugin, node);
      seen.byLook[look] = score;
    }
    return score;
  };
}

function looksOf({ attributes }: JudgedNodesModules, parts: NodeParts | null): Combinations | null {
  return parts === null ? null : attributes.combinationsOf(parts);
}

/** Gives slots without an id that of their node, unless it is ACCEPTED. One is asked of nodes that look the same. */
function askOnce(
  cluster: ClusterState,
  looks: Combinations | null,
  ids: Uint16Array,
  idOf: (node: NodeInfo) => number,
): void {
  if (looks?.count === 1) {
    askOne(cluster, ids, idOf);
    return;
  }
  const { slotCount } = cluster;
  const bySlot = looks?.bySlot();
  const known = new Uint16Array(looks?.count ?? 0);
  for (let slot = 0; slot < slotCount; slot++) {
    if (ids[slot] !== NO_NODE_ID) continue;
    const look = bySlot === undefined ? -1 : (bySlot[slot] as number);
    let id = look < 0 ? NO_NODE_ID : (known[look] as number);
    if (id === NO_NODE_ID) {
      const node = cluster.nodeAt(slot);
      if (node === undefined) continue;
      id = idOf(node);
      if (look >= 0) known[look] = id;
    }
    if (id !== ACCEPTED) ids[slot] = id;
  }
}

/** Gives all slots without an id that of the first node among them, which looks like all others. */
function askOne(cluster: ClusterState, ids: Uint16Array, idOf: (node: NodeInfo) => number): void {
  const { slotCount } = cluster;
  let slot = 0;
  let id = NO_NODE_ID;
  for (; id === NO_NODE_ID && slot < slotCount; slot++) {
    const node = ids[slot] === NO_NODE_ID ? cluster.nodeAt(slot) : undefined;
    if (node !== undefined) id = idOf(node);
  }
  if (id === ACCEPTED || id === NO_NODE_ID) return;
  for (slot--; slot < slotCount; slot++) if (ids[slot] === NO_NODE_ID) ids[slot] = id;
}

/** Asks the filters that read host ports; nodes without those in use that have one id before get one id. */
function addPods(judge: NodeJudge, cluster: ClusterState, ids: Uint16Array): void {
  const { slotCount } = cluster;
  const { slotsWithPorts } = judge;
  const idsWithPorts = [...slotsWithPorts].map((slot) => idWithPods(judge, cluster, slot, ids));
  const alone: (number | undefined)[] = [];
  for (let slot = 0; slot < slotCount; slot++) {
    const before = ids[slot] as number;
    let id = alone[before];
    if (id === undefined) {
      if (slotsWithPorts.has(slot) || cluster.nodeAt(slot) === undefined) continue;
      id = idWithPods(judge, cluster, slot, ids);
      alone[before] = id;
    }
    ids[slot] = id;
  }
  let i = 0;
  for (const slot of slotsWithPorts) ids[slot] = idsWithPorts[i++] as number;
}

function idWithPods(judge: NodeJudge, cluster: ClusterState, slot: number, ids: Uint16Array): number {
  const node = cluster.nodeAt(slot);
  const before = ids[slot] as number;
  return node === undefined ? before : judge.idWithPods(node, before);
}
