import type { NodeJudge } from './node-judge.ts';
import { type Answers, NO_NODE_ID } from './verdict-table.ts';

/** The verdicts on other pods. */
export interface OtherVerdicts {
  readonly idCount: number;
  readonly ids: { readonly values: Uint16Array };
  answers(id: number): Answers;
}

/**
 * Writes the verdict ids of all nodes, without images, from those of pods that differ in images alone, as most
 * Deployments do: no plugin is asked, and no node looked at.
 *
 *   ids there   3 1 1 0 2 3     3: passes, scores 0 40 by an image     ids here   1 1 1 0 2 1     1: passes, scores 0 0
 */
export function takeOverIds(other: OtherVerdicts, judge: NodeJudge, ids: Uint16Array, slotCount: number): void {
  const others = other.ids.values;
  const known = new Uint16Array(other.idCount);
  for (let slot = 0; slot < slotCount; slot++) {
    const before = others[slot] as number;
    let id = known[before] as number;
    if (id === NO_NODE_ID && before !== NO_NODE_ID) {
      id = judge.idLike(other.answers(before));
      known[before] = id;
    }
    ids[slot] = id;
  }
}
