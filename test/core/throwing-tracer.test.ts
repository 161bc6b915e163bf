import { describe, expect, it } from 'vitest';
import type { Tracer } from '../../src/framework/tracing/tracer.ts';
import { type EngineName, Scheduler, type SchedulerOptions } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const ENGINES: readonly EngineName[] = ['reference', 'scalar', 'simd'];
const WAYS = ENGINES.flatMap((engine) => [true, false].map((eachPod) => ({ engine, eachPod })));

/** A tracer of which the call of this number throws. */
function throwingTracer(fatal: number, eachPod: boolean) {
  let calls = 0;
  const call = () => {
    if (++calls === fatal) throw new Error('the tracer has failed');
  };
  const trace = { phase: call, start: call, startPlugin: call, end: call, finish: call, atNode: () => null };
  const begin = () => {
    call();
    return trace;
  };
  return { tracer: { eachPod, begin, rare: begin, work: call } as unknown as Tracer, calls: () => calls };
}

function schedulerOver(options: SchedulerOptions): Scheduler {
  const scheduler = new Scheduler(options);
  for (const name of ['a', 'b'])
    scheduler.addNode(makeNode(name, { allocatable: { cpu: '4', memory: '8Gi', pods: 10 } }));
  return scheduler;
}

/** The cpu that is charged to nodes, in thousandths. */
const requestedOn = (scheduler: Scheduler) =>
  scheduler.nodes().reduce((sum, { usage }) => sum + Number(usage['cpu']?.requested), 0);

/** The names of the pods on nodes. */
const placedOn = (scheduler: Scheduler) =>
  scheduler.pods().flatMap(({ pod, node }) => (node === null ? [] : [`${pod.metadata?.name} ${node}`]));

describe.each(WAYS)('a tracer that throws, $engine, each pod $eachPod', ({ engine, eachPod }) => {
  const pods = ['p', 'q', 'r'].map((name) => makePod(name, { requests: { cpu: 1 } }));

  it('leaves a batch that returns what was placed', () => {
    for (let fatal = 1, isOver = false; !isOver; fatal++) {
      const { tracer, calls } = throwingTracer(fatal, eachPod);
      const scheduler = schedulerOver({ engine, tracer });
      const results = [...scheduler.scheduleBatch(pods)];
      const placed = results.flatMap((result, i) =>
        result.status === 'scheduled' ? [`${pods[i]?.metadata?.name} ${result.node}`] : [],
      );
      expect({ fatal, placed: placedOn(scheduler).sort() }).toEqual({ fatal, placed: placed.sort() });
      expect({ fatal, requested: requestedOn(scheduler) }).toEqual({ fatal, requested: placed.length * 1000 });
      expect(scheduler.pods()).toHaveLength(placed.length);
      isOver = calls() < fatal;
    }
  });

  it('leaves a decision that is made, or nothing', () => {
    for (let fatal = 1, isOver = false; !isOver; fatal++) {
      const { tracer, calls } = throwingTracer(fatal, eachPod);
      const scheduler = schedulerOver({ engine, tracer });
      let node = 'none';
      try {
        const result = scheduler.schedule(makePod('p', { requests: { cpu: 1 } }));
        if (result.status === 'scheduled') node = result.node;
      } catch (error) {
        expect(String(error)).toContain('the tracer has failed');
      }
      expect({ fatal, placed: placedOn(scheduler) }).toEqual({ fatal, placed: node === 'none' ? [] : [`p ${node}`] });
      expect(scheduler.pods()).toHaveLength(node === 'none' ? 0 : 1);
      expect(requestedOn(scheduler)).toBe(node === 'none' ? 0 : 1000);
      isOver = calls() < fatal;
    }
  });
});
