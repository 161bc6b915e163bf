import { expect, test } from 'vitest';
import { FallbackEngine } from '../../../src/engine/columns/fallback-engine.ts';
import type { FilterPlugin } from '../../../src/framework/plugin.ts';
import { Framework } from '../../../src/framework/runtime/framework.ts';
import { unschedulable } from '../../../src/framework/status.ts';
import { ActiveTrace } from '../../../src/framework/tracing/active-trace.ts';
import type { LogLevel } from '../../../src/lib/logger.ts';
import { atEveryPoint } from '../../builders/framework-plugins.ts';
import { logLines } from '../../builders/log-lines.ts';
import { makeCluster, makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const notN1: FilterPlugin = {
  ...{ name: 'NotN1', filterReads: 'node' },
  filter: (_state, _pod, { name }) => (name === 'n1' ? unschedulable('NotN1', 'it is n1') : null),
};

function start(level: LogLevel) {
  const { lines, logger } = logLines(level);
  const cluster = makeCluster(['n0', 'n1'].map((name) => makeNode(name)));
  const framework = new Framework(atEveryPoint([notN1], new Map()), new ActiveTrace(), logger);
  return { lines, engine: new FallbackEngine(framework, cluster) };
}

test("asks the plugins' own methods", () => {
  const { engine } = start('error');
  const cycle = engine.begin(makePodInfo(makePod('p')), 'a reason');
  expect(cycle.filter({ start: 0, wanted: 2 })).toBe(1);
  expect(cycle.feasibleNodes().map(({ name }) => name)).toEqual(['n0']);
});

test('warns of each reason once', () => {
  const { engine, lines } = start('info');
  for (const [name, reason] of [
    ['a', 'too large'],
    ['b', 'too large'],
    ['c', 'a plugin failed'],
    ['d', 'too large'],
  ] as const) {
    engine.begin(makePodInfo(makePod(name)), reason);
  }
  const warning = 'WARN engine the reference engine decides instead of columns';
  expect(lines).toEqual([
    `${warning} reason="too large" pod=default/a`,
    `${warning} reason="a plugin failed" pod=default/c`,
  ]);
});

test('names every pod in the most detailed log', () => {
  const { engine, lines } = start('debug');
  for (const name of ['a', 'b']) engine.begin(makePodInfo(makePod(name)), 'too large');
  expect(lines[1]).toBe('DEBUG engine the reference engine decides reason="too large" pod=default/b');
});

test('warns once that the index cannot be used', () => {
  const { engine, lines } = start('debug');
  for (const _ of [1, 2]) engine.indexIsUnusable();
  expect(lines).toEqual(['WARN engine cycles decide instead of the index reason="amounts too large for the index"']);
});
