import type { SkippedCase } from '../result.ts';
import type { EngineName, Workers } from '../subject.ts';
import { BENCH_KINDS, type BenchKind, ENGINES } from '../suite.ts';
import { type Variant, variantName } from '../variant.ts';

const CORE_NODES = [1000, 5000, 50_000, 100_000, 1_000_000] as const;
const CORE_WORKERS = [1, 2] as const;

/** One case of the core suite; the number of its pods is decided later. */
export interface PlannedCase extends Variant {
  readonly kind: BenchKind;
  readonly nodes: number;
  /** The percentage; absent: as the flags say. */
  readonly percentageOfNodesToScore?: number;
  /** How long placing should take in all repetitions together. */
  readonly seconds: number;
}

/** Selects cases to run; an absent member does not restrict them. */
export interface CoreSelection {
  readonly kind?: BenchKind | undefined;
  readonly nodes?: readonly number[] | undefined;
  readonly engine?: EngineName | undefined;
  readonly index?: boolean | undefined;
  readonly workers?: Workers | undefined;
}

const CASE_SECONDS = 1;
/**
 * The seconds of a case with a million nodes, where the first pods of each signature take seconds, and later ones
 * should outweigh them.
 */
const LARGE_NODES = 1_000_000;
const LARGE_CASE_SECONDS = 5;

/**
 * All cases. Those that figures are computed from come first, and small clusters before large ones, so that the least
 * important cases are lost when the budget ends. Cases of one cluster follow each other, the longest run first.
 */
export function planCore(selection: CoreSelection): PlannedCase[] {
  const { nodes = CORE_NODES, workers } = selection;
  const variants = allVariants(workers === undefined ? CORE_WORKERS : [workers]);
  const cases = [...figureCases(), ...allCases(nodes, variants)].filter((planned) => isSelected(planned, selection));
  // The cases for figures occur again among all cases.
  const byName = new Map<string, PlannedCase>();
  for (const planned of cases) {
    const { cluster, variant } = plannedName(planned);
    const name = `${cluster}, ${variant}`;
    if (!byName.has(name)) byName.set(name, planned);
  }
  return [...byName.values()];
}

/** The names of cluster and variant: `hetero, 5000 nodes` and `simd index off percentageOfNodesToScore 0`. */
export function plannedName(planned: PlannedCase): Omit<SkippedCase, 'reason'> {
  const { kind, nodes, percentageOfNodesToScore } = planned;
  const sampling =
    percentageOfNodesToScore === undefined ? '' : ` percentageOfNodesToScore ${percentageOfNodesToScore}`;
  return { cluster: `${kind}, ${nodes} nodes`, variant: `${variantName(planned)}${sampling}` };
}

const INDEXED: Variant = { engine: 'simd', index: true, workers: 1 };
const FULL_SCAN: Variant = { engine: 'simd', index: false, workers: 1 };
const REFERENCE: Variant = { engine: 'reference', index: false, workers: 1 };

/** The cases that figures.ts reads, and for each cluster a full scan, which must make the same decisions. */
function figureCases(): PlannedCase[] {
  const both = (kind: BenchKind, nodes: number) => [planned(kind, nodes, INDEXED), planned(kind, nodes, FULL_SCAN)];
  const sampled = (nodes: number) => ({ ...planned('hetero', nodes, FULL_SCAN), percentageOfNodesToScore: 0 });
  return [
    ...both('basic', 5000),
    ...both('hetero', 5000),
    planned('hetero', 5000, REFERENCE),
    sampled(5000),
    ...(['spread', 'antiaffinity', 'affinity', 'dra', 'gang'] as const).flatMap((kind) => both(kind, 5000)),
    ...both('hetero', 50_000),
    planned('hetero', 50_000, { ...FULL_SCAN, workers: 2 }),
    sampled(50_000),
    ...(['spread', 'antiaffinity', 'affinity'] as const).flatMap((kind) => both(kind, 50_000)),
    ...both('hetero', 100_000),
    ...both('hetero', LARGE_NODES),
  ];
}

function allCases(nodeCounts: readonly number[], variants: readonly Variant[]): PlannedCase[] {
  return nodeCounts.flatMap((nodes) =>
    BENCH_KINDS.flatMap((kind) => variants.map((variant) => planned(kind, nodes, variant))),
  );
}

function allVariants(workerCounts: readonly Workers[]): Variant[] {
  return ENGINES.flatMap((engine) => {
    if (engine === 'reference') return [REFERENCE];
    return [true, false].flatMap((index) => workerCounts.map((workers) => ({ engine, index, workers })));
  });
}

function planned(kind: BenchKind, nodes: number, variant: Variant): PlannedCase {
  const seconds = nodes >= LARGE_NODES && variant.engine !== 'reference' ? LARGE_CASE_SECONDS : CASE_SECONDS;
  return { kind, nodes, ...variant, seconds };
}

function isSelected(planned: PlannedCase, { kind, nodes, engine, index, workers }: CoreSelection): boolean {
  // The reference engine has neither an index nor workers.
  const isReference = planned.engine === 'reference';
  return (
    (kind === undefined || planned.kind === kind) &&
    (nodes === undefined || nodes.includes(planned.nodes)) &&
    (engine === undefined || planned.engine === engine) &&
    (index === undefined || isReference || planned.index === index) &&
    (workers === undefined || isReference || planned.workers === workers)
  );
}
