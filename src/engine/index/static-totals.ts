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
    maxima.push(verdicts.isZero(name) ? 0 : largestRaw(verdicts, name, counts));
  }
  return maxima;
}

function largestRaw(verdicts: NodeVerdicts, plugin: string, counts: ArrayLike<number> | null): number {
  let max = 0;
  const end = counts?.length ?? verdicts.idCount;
  for (let id = 1; id < end; id++) {
    if (counts === null || (counts[id] ?? 0) > 0) max = Math.max(max, verdicts.rawOfId(plugin, id));
  }
  return max;
}

/** The raw scores by verdict id of each of the form's normalised plugins. */
export function rawsById(verdicts: NodeVerdicts, { normalized }: TotalsForm): Int32Array[] {
  return normalized.map(({ plugin }) =>
    Int32Array.from({ length: verdicts.idCount }, (_, id) => (id === 0 ? 0 : verdicts.rawOfId(plugin.name, id))),
  );
}

/** The totals by verdict id from the plugins outside the resource kernels; -1 for ids that are rejected. */
export function totalsById(verdicts: NodeVerdicts, form: TotalsForm, maxima: Maxima): Int16Array {
  const totals = new Int16Array(verdicts.idCount);
  totals[0] = REJECTED;
  for (let id = 1; id < totals.length; id++) totals[id] = verdicts.accepts(id) ? 0 : REJECTED;
  for (const { plugin, weight } of form.plain) {
    if (!verdicts.isZero(plugin.name)) addTo(totals, (id) => weight * verdicts.rawOfId(plugin.name, id));
  }
  for (let i = 0; i < form.normalized.length; i++) {
    const { plugin, weight, normalize } = form.normalized[i] as NormalizedPlugin;
    const [{ name }, max] = [plugin, maxima[i] ?? 0];
    const ofZero = weight * normalizeScore(0, max, normalize);
    if (!verdicts.isZero(name)) {
      addTo(totals, (id) => weight * normalizeScore(verdicts.rawOfId(name, id), max, normalize));
    } else if (ofZero !== 0) addTo(totals, () => ofZero);
  }
  return totals;
}

function addTo(totals: Int16Array, scoreOf: (id: number) => number): void {
  for (let id = 1; id < totals.length; id++) {
    const total = totals[id] as number;
    if (total !== REJECTED) totals[id] = total + scoreOf(id);
  }
}
