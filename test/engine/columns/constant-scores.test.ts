import { expect, test } from 'vitest';
import { constantNormalized, constantScore, isConstant } from '../../../src/engine/columns/constant-scores.ts';
import type { Normalization, ScorePlugin } from '../../../src/framework/plugin.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

/** Gives every node these points. */
const points = (name: string, score: number, normalize?: Normalization): ScorePlugin => ({
  ...{ name, scoreReads: 'node', score: () => score },
  ...(normalize && { normalize }),
});
const zero = points('Zero', 0);
const some = points('Some', 7);
const scaled = points('Scaled', 0, { reverse: false });
const reversed = points('Reversed', 0, { reverse: true });
const reversedSome = points('ReversedSome', 1, { reverse: true });
const byMethod: ScorePlugin = { ...points('ByMethod', 0), normalizeScores: (_state, _pod, _nodes, raw) => [...raw] };

function signatureFor(plugins: readonly ScorePlugin[], nodes = ['a', 'b']) {
  const weights = new Map(plugins.map(({ name }, i) => [name, i + 1]));
  const world = new EngineColumns({ plugins, weights }).add(...nodes.map((name) => makeNode(name)));
  return world.signatureOf(makePod('p'));
}

test('a plugin is constant whose raw scores are 0 everywhere, if nobody else normalises them', () => {
  const plugins = [zero, some, scaled, reversed, reversedSome, byMethod];
  const signature = signatureFor(plugins);
  expect(plugins.filter((plugin) => isConstant(signature, plugin))).toEqual([zero, scaled, reversed]);
  expect(plugins.filter((plugin) => isConstant({ ...signature, preScore: null }, plugin))).toEqual([]);
});

test('what kernels score is not constant', () => {
  const signature = signatureFor([zero]);
  expect(isConstant(signature, { ...zero, scoreReads: 'kernel' })).toBe(false);
});

test('0 everywhere is the best where less is better', () => {
  expect([zero, scaled, reversed].map(constantNormalized)).toEqual([0, 0, 100]);
});

test('the sum is weighted, and leaves out all that are not constant', () => {
  expect(constantScore(signatureFor([zero, reversed, scaled, some, reversedSome]))).toBe(200);
  expect(constantScore(signatureFor([reversed, reversed]))).toBe(200 + 200);
  expect(constantScore({ ...signatureFor([reversed]), preScore: null })).toBe(0);
});

test('without nodes every plugin is', () => {
  expect(constantScore(signatureFor([some, reversedSome], []))).toBe(200);
});
