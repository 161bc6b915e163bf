/** What the kernels of the signature index must come to, in plain TypeScript: nothing is kept from call to call. */
import type { ScoringStrategy } from '../../src/plugins/node-resources/fit-args.ts';
import type { ResourceColumns } from './cases.ts';
import { expectedResourceAnswers } from './expected.ts';

export const RESOURCES = ['pods', 'cpu', 'memory', 'gpu'] as const;
export type Resource = (typeof RESOURCES)[number];
type Amounts = Readonly<Record<Resource, number>>;

export interface ModelNode {
  readonly allocatable: Amounts;
  readonly requested: Amounts;
  readonly nonZero: { readonly cpu: number; readonly memory: number };
  /** The verdict ids of the nodes, for each list of verdicts; 0 is rejected. */
  readonly verdictIds: readonly number[];
}

export interface ModelSignature {
  /** The requests that are filtered by; an undefined one is not. */
  readonly requests: { readonly cpu?: number | undefined; readonly memory?: number | undefined };
  readonly gpu?: number | undefined;
  /** What NodeResourcesFit counts: the requests, or defaults for those that there are none of. */
  readonly scored: { readonly cpu: number; readonly memory: number };
  readonly fitWeight: number;
  readonly balancedWeight: number;
  readonly verdicts: number;
  /** Total of a node outside the resource kernels, by its verdict id; -1 for id 0. */
  readonly totals: readonly number[];
  /** Scores that replace `totals`, scaled by the largest score of a feasible node. */
  readonly raw: readonly number[] | null;
}

export interface ModelRules {
  readonly strategy: ScoringStrategy;
  /** 101 scores of RequestedToCapacityRatio. */
  readonly scoreOfPercent: readonly number[];
}

export interface ModelResult {
  readonly slot: number;
  readonly total: number;
  readonly feasibleNodes: number;
}

export class SignatureIndexModel {
  readonly nodes: ModelNode[];
  readonly #signatures: readonly ModelSignature[];
  readonly #rules: ModelRules;
  readonly #order: readonly number[];
  /** The score of the resource kernels by signature and slot, or -1. Everything else is cheap. */
  readonly #scores: number[][];

  /** `order`: smaller is earlier. */
  constructor(
    nodes: readonly ModelNode[],
    signatures: readonly ModelSignature[],
    rules: ModelRules,
    order: readonly number[],
  ) {
    this.nodes = [...nodes];
    this.#signatures = signatures;
    this.#rules = rules;
    this.#order = order;
    this.#scores = signatures.map((of) => nodes.map((node) => resourceScore(node, of, rules)));
  }

  setNode(slot: number, node: ModelNode): void {
    this.nodes[slot] = node;
    this.#scores.forEach((scores, i) => {
      scores[slot] = resourceScore(node, this.#signatures[i] as ModelSignature, this.#rules);
    });
  }

  /** The total of each slot; -1 where the signature does not fit. */
  totals(of: number): number[] {
    const { raw, totals, verdicts } = this.#signatures[of] as ModelSignature;
    const ids = this.nodes.map((node) => node.verdictIds[verdicts] as number);
    const scores = (this.#scores[of] as number[]).map((score, slot) =>
      (totals[ids[slot] ?? 0] ?? -1) < 0 ? -1 : score,
    );
    const feasibleIds = ids.filter((_, slot) => (scores[slot] as number) >= 0);
    const max = Math.max(0, ...feasibleIds.map((id) => raw?.[id] ?? 0));
    return scores.map((score, slot) => {
      const id = ids[slot] as number;
      const fixed = raw === null ? (totals[id] as number) : scaled(raw[id] as number, max);
      return score < 0 ? -1 : fixed + score;
    });
  }

  /** Places a pod and charges its node; null when it fits nowhere. */
  place(of: number): ModelResult | null {
    const totals = this.totals(of);
    const total = Math.max(...totals);
    if (total < 0) return null;
    const [slot] = this.bestSlots(totals).toSorted((a, b) => (this.#order[a] as number) - (this.#order[b] as number));
    this.charge(of, slot as number);
    return { slot: slot as number, total, feasibleNodes: totals.filter((each) => each >= 0).length };
  }

  bestSlots(totals: readonly number[]): number[] {
    const best = Math.max(...totals);
    return totals.flatMap((total, slot) => (total === best ? [slot] : []));
  }

  charge(of: number, slot: number): void {
    const node = this.nodes[slot] as ModelNode;
    const { requests, gpu = 0, scored } = this.#signatures[of] as ModelSignature;
    const { requested, nonZero } = node;
    this.setNode(slot, {
      ...node,
      requested: {
        pods: requested.pods + 1,
        cpu: requested.cpu + (requests.cpu ?? 0),
        memory: requested.memory + (requests.memory ?? 0),
        gpu: requested.gpu + gpu,
      },
      nonZero: { cpu: nonZero.cpu + scored.cpu, memory: nonZero.memory + scored.memory },
    });
  }
}

/** The default normalisation. */
export function scaled(raw: number, max: number): number {
  return max === 0 ? raw : Math.trunc((raw * 100) / max);
}

/** Weighted scores of both resource plugins; -1 without room. */
function resourceScore(node: ModelNode, of: ModelSignature, { strategy, scoreOfPercent }: ModelRules): number {
  const { allocatable, requested, nonZero } = node;
  const { requests, gpu, scored, fitWeight, balancedWeight } = of;
  const column = (resource: Resource, used: number, podRequest: number, weight = 1): ResourceColumns => ({
    allocatable: [allocatable[resource]],
    requested: [used],
    podRequest,
    weight,
  });
  const ask = (resources: readonly ResourceColumns[]) =>
    expectedResourceAnswers({ mask: [1], resources, table: scoreOfPercent, exact: false });
  const filtered = { pods: 1, ...requests, gpu };
  const filters = RESOURCES.flatMap((name) =>
    filtered[name] === undefined ? [] : [column(name, requested[name], filtered[name])],
  );
  if (ask(filters).feasible[0] === 0) return -1;
  const fit = strategy.resources.flatMap(({ name, weight }) => {
    if (name === 'gpu') return gpu === undefined ? [] : [column('gpu', requested.gpu, gpu, weight)];
    const resource = name as 'cpu' | 'memory';
    return [column(resource, nonZero[resource], scored[resource], weight)];
  });
  const balanced = (['cpu', 'memory'] as const).map((name) => column(name, requested[name], requests[name] ?? 0));
  const { least, most, ratio } = ask(fit);
  const share = { LeastAllocated: least, MostAllocated: most, RequestedToCapacityRatio: ratio }[strategy.type];
  return fitWeight * (share[0] as number) + balancedWeight * (ask(balanced).balanced[0] as number);
}
