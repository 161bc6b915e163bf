import type { AllocationForm } from '../../framework/column-forms.ts';
import { MAX_NODE_SCORE, type Normalization } from '../../framework/plugin.ts';
import type { WeightedScorePlugin } from '../../framework/runtime/framework.ts';
import type { Column } from '../../memory/column-table.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import { amountOf } from '../../plugins/node-resources/resource-amounts.ts';
import type { EngineModules } from './engine-modules.ts';
import { CHARGE_BYTES, MAX_INDEXED_TOTAL } from './layout.ts';
import type { PodSignature } from './pod-signature.ts';
import { ResourceEntries, type ResourceEntry } from './resource-entries.ts';

const NO_ENTRIES: readonly ResourceEntry[] = [];

interface TotalsFormModules extends Pick<EngineModules, 'memory' | 'columns' | 'framework'> {
  /** Undefined if no plugin scores by what is allocated. */
  readonly fit: AllocationForm | undefined;
}

/** An amount that a pod adds to a column of its node. */
interface Charge {
  readonly column: Column<'f64'>;
  readonly amount: number;
}

/** A score plugin whose raw scores are scaled by their maximum. */
export interface NormalizedPlugin extends WeightedScorePlugin {
  readonly normalize: Normalization;
}

/** The parts of a pod signature that the signature index needs, taken from its entries once. */
export interface TotalsForm {
  /** Requests of cpu and memory: as filtered (-Infinity if not filtered), as scored by allocation, as balanced. */
  readonly requests: readonly number[];
  readonly fitWeight: number;
  readonly balancedWeight: number;
  /** The filtered resources other than pods, cpu and memory. */
  readonly extraEntries: ResourceEntries;
  /** Score plugins outside the kernels whose raw scores are scaled by their maximum. */
  readonly normalized: readonly NormalizedPlugin[];
  /** Score plugins outside the kernels whose raw scores are final. */
  readonly plain: readonly WeightedScorePlugin[];
  /** Whether kernels score only by LeastAllocated and BalancedAllocation, both over cpu and memory. */
  readonly isStandard: boolean;
  readonly charges: readonly Charge[];
  /** The slots, as keys, to which a rare resource confines the pod; null if it requests none. */
  readonly holders: ReadonlyMap<number, unknown> | null;
}

/** Returns null if pods of the signature cannot be placed by index. */
export function totalsFormOf(signature: PodSignature, modules: TotalsFormModules): TotalsForm | null {
  const { pod, preFilter, preScore, isInexact, filterResources, attemptFilters } = signature;
  const { framework, memory, columns, fit } = modules;
  if (preScore === null || preScore.failure !== null || isInexact) return null;
  if (preFilter.rejected !== null || preFilter.nodeNames !== null || filterResources.length === 0) return null;
  // What is reserved for pods is nobody's concern but that of filters which are asked in every attempt.
  if (attemptFilters.size === 0 && framework.binding.reserves(pod)) return null;
  if (framework.scorePlugins.length === 0) return null;
  const scores = scoresOf(preScore.scores);
  if (scores === null) return null;
  return {
    requests: requestsOf(signature),
    fitWeight: scores.fitWeight,
    balancedWeight: scores.balancedWeight,
    extraEntries: new ResourceEntries(memory, extrasOf(signature)),
    normalized: scores.normalized,
    plain: scores.plain,
    isStandard: isStandard(signature, columns, fit),
    charges: chargesOf(signature, columns),
    holders: holdersOf(signature, columns),
  };
}

/** The score plugins by the form of their scores; null if kernels do not know how to add them up. */
function scoresOf(
  scores: readonly WeightedScorePlugin[],
): Pick<TotalsForm, 'fitWeight' | 'balancedWeight' | 'normalized' | 'plain'> | null {
  const normalized: NormalizedPlugin[] = [];
  const plain: WeightedScorePlugin[] = [];
  let [fitWeight, balancedWeight, most] = [0, 0, 0];
  for (let i = 0; i < scores.length; i++) {
    const { plugin, weight } = scores[i] as WeightedScorePlugin;
    if (weight < 0) return null;
    most += weight * MAX_NODE_SCORE;
    if (plugin.topology !== undefined) continue;
    if (plugin.resourceScore?.kind === 'allocation') fitWeight = weight;
    else if (plugin.resourceScore?.kind === 'balance') balancedWeight = weight;
    else if (plugin.normalizeScores !== undefined) return null;
    else if (plugin.normalize === undefined) plain.push({ plugin, weight });
    else normalized.push({ plugin, weight, normalize: plugin.normalize });
  }
  return most > MAX_INDEXED_TOTAL ? null : { fitWeight, balancedWeight, normalized, plain };
}

/** The numbers of `TotalsForm.requests`. */
function requestsOf(signature: PodSignature): number[] {
  const { fitScoreEntries, balancedEntries } = signature;
  return [
    filteredRequest(signature, 'cpu'),
    filteredRequest(signature, 'memory'),
    scoredRequest(fitScoreEntries, 0),
    scoredRequest(fitScoreEntries, 1),
    scoredRequest(balancedEntries, 0),
    scoredRequest(balancedEntries, 1),
  ];
}

function filteredRequest({ filterResources, filterEntries }: PodSignature, name: string): number {
  const index = filterResources.indexOf(name);
  return index < 0 ? Number.NEGATIVE_INFINITY : Number(filterEntries.entries[index]?.podRequest);
}

function extrasOf({ filterResources, filterEntries: { entries } }: PodSignature): readonly ResourceEntry[] {
  let extras = NO_ENTRIES;
  for (let i = 0; i < entries.length; i++) {
    const name = filterResources[i];
    if (name !== 'pods' && name !== 'cpu' && name !== 'memory') extras = [...extras, entries[i] as ResourceEntry];
  }
  return extras;
}

function holdersOf({ filterResources, filterEntries }: PodSignature, columns: NodeColumns): TotalsForm['holders'] {
  let fewest: TotalsForm['holders'] = null;
  for (let i = 0; i < filterResources.length; i++) {
    const isRequested = Number(filterEntries.entries[i]?.podRequest) > 0;
    const holders = isRequested ? columns.holders(filterResources[i] as string) : null;
    if (holders !== null && (fewest === null || holders.size < fewest.size)) fewest = holders;
  }
  return fewest;
}

function scoredRequest({ entries }: ResourceEntries, i: number): number {
  return Number(entries[i]?.podRequest ?? 0);
}

function isStandard(
  { fitScoreEntries, balancedEntries }: PodSignature,
  columns: NodeColumns,
  fit?: AllocationForm,
): boolean {
  const [cpu, memory] = [columns.resource('cpu'), columns.resource('memory')];
  const isPair = ({ entries }: ResourceEntries): boolean =>
    entries.length === 2 &&
    entries[0]?.allocatable === cpu.allocatable &&
    entries[1]?.allocatable === memory.allocatable;
  return fit?.strategy === 'LeastAllocated' && isPair(fitScoreEntries) && isPair(balancedEntries);
}

/** The amounts that a pod adds to a node's columns, which `ColumnEngine.podsAdded` adds for other pods. */
function chargesOf({ pod }: PodSignature, columns: NodeColumns): Charge[] {
  const { requests, nonZeroRequests } = pod.requirements;
  const charges: Charge[] = [{ column: columns.resource('pods').requested, amount: 1 }];
  const charge = (name: string): void => {
    const amount = Number(amountOf(requests, name));
    if (amount !== 0) charges.push({ column: columns.resource(name).requested, amount });
  };
  charge('cpu');
  charge('memory');
  charge('ephemeral-storage');
  if (requests.scalar.size > 0) for (const name of requests.scalar.keys()) charge(name);
  const milliCPU = Number(nonZeroRequests.milliCPU);
  const memoryBytes = Number(nonZeroRequests.memoryBytes);
  if (milliCPU !== 0) charges.push({ column: columns.fixed.nonZeroMilliCPU, amount: milliCPU });
  if (memoryBytes !== 0) charges.push({ column: columns.fixed.nonZeroMemoryBytes, amount: memoryBytes });
  return charges;
}

/** Writes the charges as kernels read them; returns their address. */
export function writeCharges(memory: SharedMemory, charges: readonly Charge[]): number {
  const pointer = memory.allocate(charges.length * CHARGE_BYTES, 'charges of a totals column');
  const view = new DataView(memory.memory.buffer, pointer, charges.length * CHARGE_BYTES);
  for (let i = 0; i < charges.length; i++) {
    const { column, amount } = charges[i] as Charge;
    view.setUint32(i * CHARGE_BYTES, column.pointer, true);
    view.setFloat64(i * CHARGE_BYTES + 8, amount, true);
  }
  return pointer;
}
