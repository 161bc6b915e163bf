import { describe, expect, it } from 'vitest';
import { type EngineName, loadConfiguration, Scheduler, type SchedulerOptions } from '../../../../src/index.ts';
import { makeDeviceClass, makeSlice } from '../../../builders/make-devices.ts';
import { makeNode } from '../../../builders/make-node.ts';
import { makePod } from '../../../builders/make-pod.ts';

const GPU = 'example.com/gpu';
const clock = { nowMillis: () => Date.UTC(2026, 0, 1) };

/** Node `a` has two devices, `b` has one that a device plugin reports, `c` has neither. */
function start(options: SchedulerOptions = {}): Scheduler {
  const scheduler = new Scheduler({ clock, ...options });
  for (const name of ['a', 'b', 'c']) {
    scheduler.addNode(
      makeNode(name, { allocatable: { cpu: 8, memory: '32Gi', pods: 110, ...(name === 'b' && { [GPU]: 1 }) } }),
    );
  }
  const gpus = makeDeviceClass();
  scheduler.setObject('DeviceClass', { ...gpus, spec: { ...gpus.spec, extendedResourceName: GPU } });
  scheduler.setObject('ResourceSlice', makeSlice('a', ['d0', 'd1']));
  return scheduler;
}

const gpuPod = (name: string, count: number) => makePod(name, { requests: { cpu: 1, [GPU]: count } });

function text(scheduler: Scheduler, name: string, count: number): string {
  const result = scheduler.schedule(gpuPod(name, count));
  return result.status === 'scheduled' ? result.node : 'message' in result ? result.message : result.status;
}

describe.each<EngineName>(['reference', 'scalar', 'simd'])(
  'extended resources that devices back, engine %s',
  (engine) => {
    it('are given by devices where the node has none of its own, until there are none left', () => {
      const scheduler = start({ engine });
      expect(text(scheduler, 'two', 2)).toBe('a');
      expect(text(scheduler, 'one', 1)).toBe('b');
      expect(text(scheduler, 'late', 1)).toBe(
        '0/3 nodes are available: 1 Insufficient example.com/gpu, 2 cannot allocate all claims. ' +
          'still not schedulable, ' +
          'preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, ' +
          '2 Preemption is not helpful for scheduling.',
      );
      scheduler.removePod('default', 'two');
      expect(text(scheduler, 'late', 1)).toBe('a');
    });

    it('are an ordinary resource without the gate, and without a class', () => {
      const off = start({ engine, featureGates: { DRAExtendedResource: false } });
      expect([text(off, 'p', 1), text(off, 'q', 1).slice(0, 66)]).toEqual([
        'b',
        '0/3 nodes are available: 3 Insufficient example.com/gpu. no new cl',
      ]);
      const scheduler = start({ engine });
      scheduler.removeObject('DeviceClass', 'gpu');
      expect(text(scheduler, 'p', 2)).toContain('3 Insufficient example.com/gpu');
      const batch = scheduler.scheduleBatch([gpuPod('q', 1), gpuPod('r', 1)]);
      expect([batch.at(0).status, batch.at(1).status]).toEqual(['scheduled', 'unschedulable']);
    });

    it('are found by pods of a shape that was placed before the class came', () => {
      const scheduler = start({ engine });
      const gpus = scheduler.object('DeviceClass', 'gpu');
      scheduler.removeObject('DeviceClass', 'gpu');
      expect(text(scheduler, 'p', 1)).toBe('b');
      scheduler.setObject('DeviceClass', gpus ?? {});
      expect(text(scheduler, 'q', 1)).toBe('a');
      const batch = scheduler.scheduleBatch([gpuPod('r', 1), gpuPod('s', 1), makePod('plain')]);
      expect([0, 1, 2].map((i) => batch.at(i).status)).toEqual(['scheduled', 'unschedulable', 'scheduled']);
    });

    it('score by the devices in use where a resource of the score is backed', () => {
      const configuration = loadConfiguration(`
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: KubeSchedulerConfiguration
      profiles:
        - pluginConfig:
            - name: NodeResourcesFit
              args: { scoringStrategy: { type: MostAllocated, resources: [{ name: ${GPU}, weight: 1 }] } }
    `);
      const scheduler = start({ engine, configuration });
      const { nodes } = scheduler.explain(gpuPod('p', 1));
      const raw = nodes.map(({ node, scores }) => [
        node,
        scores.find(({ plugin }) => plugin === 'NodeResourcesFit')?.raw ?? null,
      ]);
      expect(raw).toEqual([
        ['a', 50],
        ['b', 100],
        ['c', null],
      ]);
    });
  },
);
