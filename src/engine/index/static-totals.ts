import { normalizeScore } from '../../framework/normalize-score.ts';
import type { NodeVerdicts } from '../verdicts/node-verdicts.ts';
import type { TotalsForm } from './totals-form.ts';

/** The largest raw score that a feasible node has, for each of the form's normalised plugins. */
export type Maxima = readonly number[];

/** `counts`: feasible nodes by kind. */
export function maximaOf(verdicts: NodeVerdicts, { normalized }: TotalsForm, counts: ArrayLike<number>): Maxima {
  return normalized.map(({ plugin }) => {
    let max = 0;
    for (let kind = 1; kind < counts.length; kind++) {
      if ((counts[kind] ?? 0) > 0) max = Math.max(max, verdicts.rawOfKind(plugin.name, kind));
    }
    return max;
  });
}

/** What a node of each kind gets from the plugins outside the resource kernels; -1 for kinds that are rejected. */
export function totalsByKind(verdicts: NodeVerdicts, { normalized, plain }: TotalsForm, maxima: Maxima): Int16Array {
  const totals = new Int16Array(verdicts.kindCount).fill(-1);
  for (let kind = 1; kind < totals.length; kind++) {
    if (!verdicts.accepts(kind)) continue;
    let total = 0;
    for (const { plugin, weight } of plain) total += weight * verdicts.rawOfKind(plugin.name, kind);
    normalized.forEach(({ plugin, weight, normalize }, i) => {
      total += weight * normalizeScore(verdicts.rawOfKind(plugin.name, kind), maxima[i] ?? 0, normalize);
    });
    totals[kind] = total;
  }
  return totals;
}
