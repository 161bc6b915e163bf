import { normalizeScore } from '../../framework/normalize-score.ts';
import type { NodeVerdicts } from '../verdicts/node-verdicts.ts';
import type { TotalsForm } from './totals-form.ts';

/** The largest raw score that a feasible node has, for each of the form's normalised plugins. */
export type Maxima = readonly number[];

/** Whether some scores are normalised by the maxima of feasible nodes; raw scores that are all 0 need none. */
export function dependsOnMaxima(verdicts: NodeVerdicts, { normalized }: TotalsForm): boolean {
  return normalized.some(({ plugin }) => !verdicts.isZero(plugin.name));
}

/** `counts` are the feasible nodes by verdict id. */
export function maximaOf(verdicts: NodeVerdicts, { normalized }: TotalsForm, counts: ArrayLike<number>): Maxima {
  return normalized.map(({ plugin }) => {
    let max = 0;
    for (let id = 1; id < counts.length; id++) {
      if ((counts[id] ?? 0) > 0) max = Math.max(max, verdicts.rawOfId(plugin.name, id));
    }
    return max;
  });
}

/** The raw scores by verdict id of each of the form's normalised plugins. */
export function rawsById(verdicts: NodeVerdicts, { normalized }: TotalsForm): Int32Array[] {
  return normalized.map(({ plugin }) =>
    Int32Array.from({ length: verdicts.idCount }, (_, id) => (id === 0 ? 0 : verdicts.rawOfId(plugin.name, id))),
  );
}

/** The totals by verdict id from the plugins outside the resource kernels; -1 for ids that are rejected. */
export function totalsById(verdicts: NodeVerdicts, { normalized, plain }: TotalsForm, maxima: Maxima): Int16Array {
  const totals = new Int16Array(verdicts.idCount).fill(-1);
  for (let id = 1; id < totals.length; id++) {
    if (!verdicts.accepts(id)) continue;
    let total = 0;
    for (const { plugin, weight } of plain) total += weight * verdicts.rawOfId(plugin.name, id);
    normalized.forEach(({ plugin, weight, normalize }, i) => {
      total += weight * normalizeScore(verdicts.rawOfId(plugin.name, id), maxima[i] ?? 0, normalize);
    });
    totals[id] = total;
  }
  return totals;
}
