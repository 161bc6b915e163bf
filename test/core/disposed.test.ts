import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withPlugins } from '../../src/embedding/with-plugins.ts';
import type { PluginFactory } from '../../src/framework/user-plugin.ts';
import { Scheduler, type SchedulerError } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { runs } from '../builders/runs.ts';
import { arbitraryScript } from './arbitrary-script.ts';
import { ClusterLife, probesOf } from './event-script.ts';
import { expectSame } from './expect-alike.ts';

const numRuns = runs(60);

const arbitraryOptions = fc.record({
  engine: fc.constantFrom('simd' as const, 'scalar' as const),
  tieBreak: fc.constantFrom('first' as const, 'upstream' as const),
  percentageOfNodesToScore: fc.constantFrom(100, 0),
});

describe('a scheduler that was disposed of', () => {
  test('leaves nothing to the one that gets its memory', () => {
    fc.assert(
      fc.property(arbitraryScript, arbitraryScript, arbitraryOptions, (earlier, script, options) => {
        const before = new ClusterLife(options, earlier);
        for (const event of earlier.events) before.play(event);
        before.scheduler[Symbol.dispose]();
        const after = new ClusterLife(options, script);
        const reference = new ClusterLife({ ...options, engine: 'reference' }, script);
        const probes = probesOf(script);
        for (const [step, event] of script.events.entries()) {
          // The reference schedules the pods of a batch one by one, unless the batch is refused.
          const answer = after.play(event);
          const isRefused = typeof answer === 'object' && 'error' in answer;
          const expected =
            event.do === 'scheduleBatch' && !isRefused ? reference.playApart(event) : reference.play(event);
          expectSame(`step ${step}, ${event.do}`, expected, answer);
        }
        const explained = ({ scheduler }: ClusterLife): unknown => probes.map((probe) => scheduler.explain(probe));
        expectSame('probes', explained(reference), explained(after));
        after.scheduler[Symbol.dispose]();
      }),
      { numRuns },
    );
  });

  test.each(['simd', 'reference'] as const)('can be read, and refuses all else: %s', async (engine) => {
    const scheduler = new Scheduler({ engine });
    scheduler.addNode(makeNode('n', { cpu: 1 }));
    const results = scheduler.scheduleBatch([makePod('p', {})]);
    scheduler[Symbol.dispose]();
    scheduler[Symbol.dispose]();
    const closed = expect.objectContaining({ code: 'Closed' });
    const pod = makePod('q', {});
    for (const call of [
      () => scheduler.schedule(pod),
      () => scheduler.scheduleBatch([pod]),
      () => scheduler.explain(pod),
      () => scheduler.addNode(makeNode('m', {})),
      () => scheduler.removePod('default', 'p'),
      () => scheduler.fork(),
      () => scheduler.snapshot(),
      () => scheduler.load([{ ...pod, kind: 'Pod' }]),
    ]) {
      expect(call).toThrow(closed);
    }
    await expect(scheduler.scheduleAsync(pod)).rejects.toEqual(closed);
    expect(results.at(0)).toMatchObject({ status: 'scheduled', node: 'n' });
    expect(scheduler.pod('default', 'p')?.node).toBe('n');
    expect(scheduler.nodes()).toHaveLength(1);
    expect(scheduler.sharedMemoryBytes).toBe(0);
  });

  test('is not to be had in the middle of a decision', () => {
    const found: unknown[] = [];
    const newEnder: PluginFactory = () => ({
      name: 'Ender',
      filter() {
        try {
          scheduler[Symbol.dispose]();
        } catch (error) {
          found.push((error as SchedulerError).code);
        }
        return null;
      },
    });
    const scheduler: Scheduler = new Scheduler(withPlugins({ Ender: newEnder }));
    scheduler.addNode(makeNode('n', {}));
    expect(scheduler.schedule(makePod('p', {})).status).toBe('scheduled');
    expect(new Set(found)).toEqual(new Set(['Conflict']));
  });
});
