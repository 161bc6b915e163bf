import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import { MAX_NODE_SCORE } from '../framework/plugin.ts';
import type { Framework } from '../framework/runtime/framework.ts';
import { ColumnEngine } from './columns/column-engine.ts';
import type { ColumnEngineOptions, RunnerFactory } from './columns/column-engine-options.ts';
import type { Engine, EngineName } from './cycle/engine.ts';
import { ReferenceEngine } from './reference/reference-engine.ts';

/** The largest total that a column of 32 bits holds. */
const MAX_TOTAL = 2 ** 31 - 1;

/** Returns why columns cannot answer for a profile; null if they can. */
export function reasonAgainstColumns({ isIncomplete, scorePlugins }: Framework): string | null {
  if (isIncomplete) return 'a plugin is called without the step that prepares it';
  const largestTotal = scorePlugins.reduce((sum, { weight }) => sum + Math.abs(weight) * MAX_NODE_SCORE, 0);
  return largestTotal <= MAX_TOTAL ? null : 'the weights of its score plugins are too large';
}

/** Returns an engine of this kind, or the reference for a profile that columns cannot answer for. */
export function newEngine(
  kind: EngineName,
  framework: Framework,
  cluster: ClusterState,
  index: boolean,
  createRunner: RunnerFactory,
  options?: ColumnEngineOptions,
): Engine {
  return kind === 'reference' || reasonAgainstColumns(framework) !== null
    ? new ReferenceEngine(framework, cluster)
    : new ColumnEngine(kind, framework, cluster, index, createRunner, options);
}
