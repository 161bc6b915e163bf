import { beforeEach, describe, expect, it } from 'vitest';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { makeClaim, makeVolume, type VolumeOptions } from '../builders/make-storage.ts';
import { SchedulerRig } from './scheduler-rig.ts';

const BIND_TIMEOUT_MILLIS = 600_000;

let rig: SchedulerRig;

/** The claim has no uid and no status of its own in a store. */
function claim(name: string) {
  const { metadata, spec } = makeClaim(name);
  return { metadata: { name, namespace: metadata?.namespace }, spec };
}

function podWith(claimName: string) {
  return makePod('p', { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] } });
}

function createVolume(name: string, options: VolumeOptions = {}): void {
  const { status, ...volume } = makeVolume(name, options);
  const created = rig.store.create('persistentvolumes', volume);
  // The volume controller marks the volume as available.
  rig.store.updateStatus('persistentvolumes', { ...created, status });
}

/** What the volume controller does when it has seen the volume's claim. */
function bindClaim(claimName: string, volumeName: string): void {
  const known = rig.store.get('persistentvolumeclaims', 'default', claimName);
  const annotations = { ...known.metadata?.annotations, 'pv.kubernetes.io/bind-completed': 'yes' };
  const spec = { ...known.spec, volumeName };
  rig.store.update('persistentvolumeclaims', { ...known, metadata: { ...known.metadata, annotations }, spec });
}

beforeEach(() => {
  rig = new SchedulerRig();
  rig.store.create('storageclasses', {
    metadata: { name: 'wait' },
    provisioner: 'csi.example',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  rig.store.create('nodes', makeNode('n'));
  rig.store.create('persistentvolumeclaims', claim('c'));
});

describe('a pod whose claim waits for it', () => {
  it('has its volume bound first, and then itself', () => {
    createVolume('v');
    rig.store.create('pods', podWith('c'));
    rig.runMillis(100);
    const volume = rig.store.get('persistentvolumes', '', 'v');
    expect(volume.spec?.claimRef).toMatchObject({ kind: 'PersistentVolumeClaim', namespace: 'default', name: 'c' });
    expect(volume.metadata?.annotations).toEqual({ 'pv.kubernetes.io/bound-by-controller': 'yes' });
    expect([rig.nodeOf('p'), rig.pod('p').status?.nominatedNodeName]).toEqual(['', 'n']);
    bindClaim('c', 'v');
    rig.runMillis(1000);
    expect(rig.nodeOf('p')).toBe('n');
  });

  it('names its node for a volume that is to be made', () => {
    rig.store.create('pods', podWith('c'));
    rig.runMillis(100);
    const { metadata } = rig.store.get('persistentvolumeclaims', 'default', 'c');
    expect(metadata?.annotations).toEqual({ 'volume.kubernetes.io/selected-node': 'n' });
    createVolume('made');
    bindClaim('c', 'made');
    rig.runMillis(1000);
    expect(rig.nodeOf('p')).toBe('n');
  });

  it('waits no longer than the bind timeout of the plugin', () => {
    createVolume('v');
    rig.store.create('pods', podWith('c'));
    rig.runMillis(BIND_TIMEOUT_MILLIS - 1000);
    expect(rig.events).toEqual([]);
    rig.runMillis(2000);
    expect(rig.events[0]).toEqual({
      pod: 'p',
      reason: 'FailedScheduling',
      note: 'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded',
    });
  });

  it('gives up when the pod is gone, or the provisioner wants another node', () => {
    rig.store.create('pods', podWith('c'));
    rig.runMillis(100);
    const known = rig.store.get('persistentvolumeclaims', 'default', 'c');
    rig.store.update('persistentvolumeclaims', { ...known, metadata: { ...known.metadata, annotations: {} } });
    rig.runMillis(1000);
    expect(rig.events[0]?.note).toContain('selectedNode annotation reset for PVC "c"');
    rig.runMillis(3000);
    rig.store.delete('pods', 'default', 'p');
    rig.runMillis(3000);
    expect(rig.scheduler.cache.podCount).toBe(0);
    expect([...rig.scheduler.queue.pendingPods()]).toEqual([]);
  });

  it('does not go to a node where a driver has taken its volume over, in another zone', () => {
    const annotations = { 'storage.alpha.kubernetes.io/migrated-plugins': 'kubernetes.io/gce-pd' };
    rig.store.create('csinodes', { metadata: { name: 'n', annotations }, spec: { drivers: [] } });
    const labels = { 'topology.kubernetes.io/zone': 'elsewhere' };
    const disk = { labels, spec: { csi: undefined, gcePersistentDisk: { pdName: 'd' } } };
    const reported = (volume: string): string =>
      'running PreBind plugin "VolumeBinding": binding volumes: ' +
      `pv "${volume}" node affinity doesn't match node "n": no matching NodeSelectorTerms`;

    // Nobody asks the driver when a free volume is looked for.
    createVolume('v', disk);
    rig.store.create('pods', podWith('c'));
    rig.runMillis(1100);
    expect(rig.events[0]?.note).toBe(reported('v'));

    rig.store.create('persistentvolumeclaims', claim('d'));
    rig.store.create('pods', { ...podWith('d'), metadata: { name: 'q' } });
    rig.runMillis(100);
    createVolume('made', disk);
    const known = rig.store.get('persistentvolumeclaims', 'default', 'd');
    rig.store.update('persistentvolumeclaims', { ...known, spec: { ...known.spec, volumeName: 'made' } });
    rig.runMillis(1000);
    expect(rig.events.find(({ pod }) => pod === 'q')?.note).toBe(reported('made'));
  });
});
