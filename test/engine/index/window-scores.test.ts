import { expect, test } from 'vitest';
import { SCORE, SCORE_WORDS, SCORES, SCORES_WORDS } from '../../../src/engine/index/search-layout.ts';
import { WindowScores } from '../../../src/engine/index/window-scores.ts';
import type { ScorePlugin } from '../../../src/framework/plugin.ts';
import { NodeResourcesFit } from '../../../src/plugins/node-resources/fit.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { mustForm } from '../../builders/totals-parts.ts';

const stars: ScorePlugin = {
  ...{ name: 'Stars', scoreReads: 'node', normalize: { reverse: true } },
  score: (_state, _pod, { node }) => Number(node.metadata?.labels?.['stars'] ?? 0),
};
const starred = (i: number, count: number) => makeNode(`n${i}`, { cpu: 4, labels: { stars: `${count}` } });

test('raw scores by verdict id and the maxima of the rows are where kernels read them, however many ids come', () => {
  const world = new EngineColumns({ plugins: [new NodeResourcesFit(), stars], weights: new Map([[stars.name, 3]]) });
  world.add(starred(0, 5), starred(1, 2));
  const signature = world.signatureOf(makePod('p', { requests: { cpu: 1 } }));
  const { verdicts } = signature;
  const form = mustForm(world, signature);
  const scores = new WindowScores(world.memory, verdicts, form);
  const read = () => {
    const words = new Int32Array(world.memory.memory.buffer, scores.pointer);
    const score = words.subarray(SCORES_WORDS, SCORES_WORDS + SCORE_WORDS);
    const raw = new Int32Array(world.memory.memory.buffer, score[SCORE.raw], verdicts.idCount);
    const head = [words[SCORES.scoreCount], words[SCORES.idCount]];
    return { head, rules: [score[SCORE.weight], score[SCORE.isReverse], score[SCORE.maximum]], raw: [...raw] };
  };
  const raw = () => Array.from({ length: verdicts.idCount }, (_, id) => verdicts.rawOfId(stars.name, id));
  verdicts.sync();
  scores.update([5]);
  expect(read()).toEqual({ head: [1, 3], rules: [3, 1, 5], raw: [0, 5, 2] });
  world.add(...Array.from({ length: 40 }, (_, i) => starred(i + 2, i + 10)));
  verdicts.sync();
  scores.update([49]);
  expect(read()).toEqual({ head: [1, 43], rules: [3, 1, 49], raw: raw() });
  const full = world.memory.allocatedBytes;
  scores.release();
  expect(world.memory.allocatedBytes).toBeLessThan(full);
});
