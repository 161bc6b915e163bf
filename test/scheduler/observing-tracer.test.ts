import { describe, expect, it } from 'vitest';
import type { Trace } from '../../src/framework/tracing/tracer.ts';
import { tracerFor } from '../../src/scheduler/observing-tracer.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { SchedulerRig } from './scheduler-rig.ts';

function observed() {
  const points: string[] = [];
  const plugins: string[] = [];
  let millis = 0;
  const observer = {
    extensionPointFinished: (point: string, profile: string, code: string, duration: number) =>
      void points.push(`${point} of ${profile}: ${code} after ${duration}`),
    pluginFinished: (plugin: string, point: string, code: string) => void plugins.push(`${plugin}.${point}: ${code}`),
  };
  const tracer = tracerFor(observer, { nowMillis: () => millis++ });
  if (tracer === null) throw new Error('an observer that wants to know');
  return { tracer, points, plugins, observer };
}

describe('an observer of decisions', () => {
  it('is notified of extension points, and of the plugins in every tenth', () => {
    const { tracer, points, plugins } = observed();
    for (let i = 0; i < 11; i++) {
      const trace = tracer.begin(makePod(`p${i}`)) as Trace;
      trace.phase('encode');
      trace.start('preFilter');
      trace.startPlugin('preFilter', 'Fit');
      trace.end('Skip');
      trace.end();
      trace.phase('filter');
      const atNode = trace.atNode();
      expect(trace.showsCalls).toBe(atNode !== null);
      atNode?.startPlugin('filter', 'Fit', 'n');
      atNode?.end('Unschedulable');
      trace.phase('postFilter');
      trace.finish(null);
    }
    expect(points.filter((line) => line.startsWith('preFilter'))).toHaveLength(11);
    expect(points.slice(0, 3)).toEqual([
      'preFilter of default-scheduler: Success after 3',
      'filter of default-scheduler: Unschedulable after 3',
      'postFilter of default-scheduler: Success after 1',
    ]);
    expect(plugins).toEqual([...Array(2)].flatMap(() => ['Fit.preFilter: Skip', 'Fit.filter: Unschedulable']));
  });

  it('is notified of everything between the queue and the node', () => {
    const { observer, points } = observed();
    const reported: string[] = [];
    const rig = new SchedulerRig({}, () => ({
      observer: {
        ...observer,
        attemptFinished: (result) => void reported.push(`attempt ${result}`),
        decisionFinished: () => void reported.push('decision'),
        podScheduled: ({ attempts }) => void reported.push(`scheduled after ${attempts}`),
        preemptionAttempted: () => void reported.push('preemption'),
        cacheSize: (kind, count) => void reported.push(`${kind} ${count}`),
      },
    }));
    reported.length = 0;
    rig.store.create('nodes', makeNode('n', { cpu: 2 }));
    rig.store.create('pods', makePod('p', { requests: { cpu: 1 } }));
    rig.store.create('pods', makePod('q', { requests: { cpu: 2 } }));
    rig.runMillis(10);
    expect(reported).toEqual([
      ...['decision', 'attempt scheduled', 'scheduled after 1'],
      ...['preemption', 'decision', 'attempt unschedulable'],
      ...['nodes 1', 'pods 1', 'assumedPods 0'],
    ]);
    expect(points.map((line) => line.split(' ')[0])).toContain('postFilter');
  });
});
