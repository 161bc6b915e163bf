import { normalizeScore } from '../../framework/normalize-score.ts';
import type { NodeVerdicts } from '../verdicts/node-verdicts.ts';
import type { NormalizedPlugin, TotalsForm } from './totals-form.ts';

const REJECTED = -1;

/** The largest raw score that a feasible node has, for each of the form's normalised plugins. */
export type Maxima = readonly number[];

/** Whether some scores are normalised by the maxima of feasible nodes; raw scores that are all 0 need none. */
export function dependsOnMaxima(verdicts: NodeVerdicts, { normalized }: TotalsForm): boolean {
  for (let i = 0; i < normalized.length; i++) {
    if (!verdicts.isZero((normalized[i] as NormalizedPlugin).plugin.name)) return true;
  }
  return false;
}

/** `counts` are the feasible nodes by verdict id; null if there is one for every id. */
export function maximaOf(verdicts: NodeVerdicts, form: TotalsForm, counts: ArrayLike<number> | null): Maxima {
  const { normalized } = form;
  const maxima: number[] = [];
  for (let i = 0; i < normalized.length; i++) {
    const { name } = (normalized[i] as NormalizedPlugin).plugin;
    maxima.push(verdicts.isZero(name) ? 0 : largestRaw(verdicts.rawsOf(name), counts));
  }
  return maxima;
}

function largestRaw(raws: readonly number[], counts: ArrayLike<number> | null): number {
  let max = 0;
  const end = counts?.length ?? raws.length;
  for (let id = 1; id < end; id++) {
    if (counts === null || (counts[id] ?? 0) > 0) max = Math.max(max, raws[id] ?? 0);
  }
  return max;
}

/** The raw scores by verdict id of each of the form's normalised plugins. */
export function rawsById(verdicts: NodeVerdicts, { normalized }: TotalsForm): number[][] {
  return normalized.map(({ plugin }) => verdicts.rawsOf(plugin.name));
}

/** The totals by verdict id from the plugins outside the resource kernels; -1 for ids that are rejected. */
export function totalsById(verdicts: NodeVerdicts, form: TotalsForm, maxima: Maxima): Int16Array {
  const totals = new Int16Array(verdicts.idCount);
  totals[0] = REJECTED;
  for (let id = 1; id < totals.length; id++) totals[id] = verdicts.accepts(id) ? 0 : REJECTED;
  for (const { plugin, weight } of form.plain) {
    if (!verdicts.isZero(plugin.name)) addScores(totals, weight, verdicts.rawsOf(plugin.name));
  }
  for (let i = 0; i < form.normalized.length; i++) {
    const { plugin, weight, normalize } = form.normalized[i] as NormalizedPlugin;
    const max = maxima[i] ?? 0;
    const ofZero = normalizeScore(0, max, normalize);
    if (!verdicts.isZero(plugin.name)) {
      const raws = verdicts.rawsOf(plugin.name);
      for (let id = 1; id < raws.length; id++) raws[id] = normalizeScore(raws[id] as number, max, normalize);
      addScores(totals, weight, raws);
    } else if (ofZero !== 0) addScores(totals, weight * ofZero, null);
  }
  return totals;
}

/** Adds a plugin's scores to the totals of ids that are not rejected. `scores`: by id; null for 1 each. */
function addScores(totals: Int16Array, weight: number, scores: readonly number[] | null): void {
  for (let id = 1; id < totals.length; id++) {
    const total = totals[id] as number;
    if (total !== REJECTED) totals[id] = total + weight * (scores === null ? 1 : (scores[id] as number));
  }
}
