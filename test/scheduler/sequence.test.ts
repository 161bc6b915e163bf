import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { RESOURCES, type Resource } from '../../src/store/objects/resources.ts';
import { OBJECT_KINDS, type RecordedCase, readCases, sequencePods } from '../parity/read-cases.ts';
import { SchedulerRig } from './scheduler-rig.ts';

const SEQUENCES = new URL('../parity/data/sequence.ndjson.gz', import.meta.url).pathname;

/** Pods are created through the store and bound through it; what fits nowhere is deleted before the next one comes. */
describe('the scheduler on a store binds recorded sequences of pods as recorded', () => {
  it.each(readCases(SEQUENCES) as RecordedCase[])('$name', (recorded) => {
    const rig = new SchedulerRig({ tieBreak: 'first', preemption: false });
    createObjects(rig, recorded);
    const expected = recorded.steps ?? [];
    let created = 0;
    let checked = 0;
    for (const pod of sequencePods(recorded)) {
      rig.store.create('pods', withoutServerFields(pod));
      const fits = expected[created]?.node !== undefined;
      created++;
      // Pods that all find a node come together.
      if (fits && created < expected.length) continue;
      rig.runMillis(1);
      const got = expected.slice(checked, created).map((step) => ({ pod: step.pod, node: rig.nodeOf(step.pod) }));
      expect(got).toEqual(expected.slice(checked, created).map(({ pod, node = '' }) => ({ pod, node })));
      checked = created;
      if (fits) continue;
      const { name = '' } = pod.metadata ?? {};
      expect(rig.events.at(-1)).toEqual({
        pod: name,
        reason: 'FailedScheduling',
        note: expected[created - 1]?.message,
      });
      rig.store.delete('pods', pod.metadata?.namespace ?? 'default', name);
      rig.runMillis(1);
    }
    expect(created).toBe(expected.length);
    expect(rig.reported).toEqual([]);
  });
});

function createObjects({ store }: SchedulerRig, { objects }: RecordedCase): void {
  // The store has it from the start, without the labels of the recording.
  const known = new Set(store.list('namespaces').items.map(({ metadata }) => metadata?.name));
  for (const [list, kind] of Object.entries(OBJECT_KINDS)) {
    for (const object of objects[list as keyof typeof OBJECT_KINDS] ?? []) {
      const resource = resourceOf(kind);
      const isKnown = resource === 'namespaces' && known.has(object.metadata?.name);
      store[isKnown ? 'update' : 'create'](resource, withoutServerFields(object) as never);
    }
  }
  for (const node of objects.nodes ?? []) store.create('nodes', withoutServerFields(node));
  for (const pod of objects.pods ?? []) store.create('pods', withoutServerFields(pod));
}

function resourceOf(kind: string): Resource {
  const found = (Object.keys(RESOURCES) as Resource[]).find((resource) => RESOURCES[resource].kind === kind);
  if (found === undefined) throw new Error(`no resource has the kind ${kind}`);
  return found;
}

/** The store gives its own. */
function withoutServerFields<T extends Pick<Pod, 'metadata'>>(object: T): T {
  const { uid: _uid, creationTimestamp: _time, generation: _generation, ...metadata } = object.metadata ?? {};
  return { ...object, metadata };
}
