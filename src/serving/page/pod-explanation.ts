import type { Explanation } from '../../core/decision/result.ts';
import type { JsonObject } from '../../kinds/object/json.ts';

const NODES_SHOWN = 5;

/** An explanation in the size of a page: rejected nodes by reason, and the best nodes with their scores. */
export function explanationOf({ status, message, preEnqueue, preFilter, nodes, feasible }: Explanation): JsonObject {
  const rejections = new Map<string, string[]>();
  for (const { node, rejected } of nodes) {
    if (rejected === null) continue;
    const reason = `${rejected.plugin}: ${rejected.reasons.join(', ')}`;
    const names = rejections.get(reason) ?? [];
    rejections.set(reason, names);
    names.push(node);
  }
  const scored = nodes.filter(({ total }) => total !== null);
  const best = scored.sort((a, b) => (b.total ?? 0) - (a.total ?? 0)).slice(0, NODES_SHOWN);
  const held = preEnqueue ?? preFilter;
  return {
    status,
    message,
    held: held === null ? '' : `${held.plugin}: ${held.reasons.join(', ')}`,
    feasible: feasible.length,
    searched: nodes.length,
    rejections: [...rejections]
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([reason, names]) => ({ reason, count: names.length, nodes: names.slice(0, NODES_SHOWN) })),
    best: best.map(({ node, total, scores }) => ({
      node,
      total,
      scores: scores.filter(({ weighted }) => weighted !== 0).map(({ plugin, weighted }) => `${plugin} ${weighted}`),
    })),
  };
}
