import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../src/api/meta.ts';
import { AttemptTraces } from '../../../src/simulation/trace/attempt-traces.ts';
import type { TraceEvent } from '../../../src/simulation/trace/cluster-trace.ts';
import type { Resource } from '../../../src/store/objects/resources.ts';
import { claimVolume, makeClaim, makeVolume, podWithVolumes } from '../../builders/make-storage.ts';

/** The attempts that a sequence of states shows; '' for a state that shows none. */
function attemptsIn(states: readonly (readonly [Resource, object])[]): string[] {
  const traces = new AttemptTraces();
  const latest = new Map<string, TraceEvent>();
  return states.map(([resource, object]) => {
    const key = `${resource} ${(object as KubernetesObject).metadata?.name}`;
    const before = latest.get(key);
    const type = before === undefined ? 'ADDED' : 'MODIFIED';
    const event: TraceEvent = { atMillis: 0, type, resource, object: object as KubernetesObject };
    latest.set(key, event);
    return traces.take(before, event) ?? '';
  });
}

const pod = (nodeName = '', status = {}) => {
  const { metadata, ...rest } = podWithVolumes('p', [claimVolume('c')], nodeName);
  return ['pods', { ...rest, metadata: { ...metadata, uid: 'uid-p' }, status }] as const;
};
const scheduled = (status: string, message: string) => ({ conditions: [{ type: 'PodScheduled', status, message }] });

describe('traces of attempts', () => {
  it('are bindings, new reasons to wait, and nominations, but not their end', () => {
    const waits = scheduled('False', 'no room');
    expect(
      attemptsIn([
        ...[pod(), pod('', waits), pod('', { ...waits, phase: 'Pending' })],
        ...[pod('', { ...waits, nominatedNodeName: 'n' }), pod('', waits)],
        ...[pod('', scheduled('False', 'less room')), pod('n', scheduled('True', '')), pod('n', { phase: 'Running' })],
      ]),
    ).toEqual(['', 'uid-p', '', 'uid-p', '', 'uid-p', 'uid-p', '']);
  });

  it('are the writes for volumes of a pod that waits, each of them once', () => {
    const claim = makeClaim('c');
    const annotations = { 'volume.kubernetes.io/selected-node': 'n' };
    const selected = { ...claim, metadata: { ...claim.metadata, annotations } };
    const states = [
      ...[pod(), ['persistentvolumeclaims', claim], ['persistentvolumeclaims', selected]],
      ...[['persistentvolumeclaims', { ...selected, status: { phase: 'Bound' } }], pod('n')],
    ] as (readonly [Resource, object])[];
    expect(attemptsIn(states)).toEqual(['', '', 'uid-p', '', 'uid-p']);
    const volume = makeVolume('v');
    const claimRef = { namespace: 'default', name: 'c' };
    const bound = ['persistentvolumes', { ...volume, spec: { ...volume.spec, claimRef } }] as const;
    expect(attemptsIn([pod(), ['persistentvolumes', volume], bound])).toEqual(['', '', 'uid-p']);
    expect(attemptsIn([pod('n'), ['persistentvolumes', volume], bound])).toEqual(['', '', '']);
  });

  it('are devices that are reserved for a pod', () => {
    const claim = (...uids: string[]) => {
      const reservedFor = uids.map((uid) => ({ resource: 'pods', name: uid, uid }));
      return ['resourceclaims', { metadata: { name: 'c', namespace: 'default' }, status: { reservedFor } }] as const;
    };
    expect(attemptsIn([claim(), claim('a'), claim('a', 'b'), claim('b')])).toEqual(['', 'a', 'b', '']);
  });
});
