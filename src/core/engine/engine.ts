import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { Status } from '../framework/status.ts';

/**
 * Who does the work. All three make the same decisions.
 *
 *   simd        WebAssembly kernels over columns, 4 nodes per step
 *   scalar      the same kernels without SIMD
 *   reference   the plugins' own methods on objects, node by node: the readable specification
 */
export type EngineName = 'simd' | 'scalar' | 'reference';

/**
 * Which of several nodes with the best total: `first` in the order the nodes were learned of, or one drawn by the seed.
 */
export type TieBreak = 'first' | 'random';

export interface Selection {
  readonly node: NodeInfo;
  readonly total: number;
  readonly ties: number;
}

/** One plugin's scores, looked up by node. */
export interface PluginScores {
  readonly plugin: string;
  readonly weight: number;
  raw(node: NodeInfo): number;
  normalized(node: NodeInfo): number;
}

/** One scheduling attempt. The steps are called in this order; a cycle is void once the next one begins. */
export interface Cycle {
  /** Why no node needs to be looked at (code Error: the attempt failed); null to go on. */
  readonly rejected: Status | null;
  /** Returns the number of feasible nodes. */
  filter(): number;
  /** In snapshot order. */
  feasibleNodes(): readonly NodeInfo[];
  /** The nodes that were looked at (or left out by a PreFilter result) and rejected, in any order. */
  rejections(): Iterable<readonly [NodeInfo, Status]>;
  /** How many nodes gave each reason. */
  reasonCounts(): Map<string, number>;
  /** Scores the feasible nodes; an Error status when scoring fails. */
  score(): Status | null;
  /** `draw(n)` picks one of n ties, which are in the order the nodes were learned of. */
  select(draw: (ties: number) => number): Selection;
  /** After `score`. */
  total(node: NodeInfo): number;
  pluginScores(): readonly PluginScores[];
}

export interface Engine {
  readonly name: EngineName;
  /** Encodes the pod and runs PreFilter. */
  begin(pod: PodInfo): Cycle;
}
