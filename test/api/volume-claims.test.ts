import { describe, expect, it } from 'vitest';
import {
  claimClassName,
  claimOfVolume,
  isFullyBound,
  isOwnedByPod,
  isVolumeBoundToClaim,
  volumeClassName,
} from '../../src/api/volume-claims.ts';
import { makeClaim, makeVolume } from '../builders/make-storage.ts';

const BETA_CLASS = { 'volume.beta.kubernetes.io/storage-class': 'old' };

describe('claimOfVolume', () => {
  it('names the claim that a volume mounts', () => {
    expect(claimOfVolume('p', { persistentVolumeClaim: { claimName: 'c' } })).toEqual({
      claimName: 'c',
      isEphemeral: false,
    });
  });

  it('puts an ephemeral claim together from pod and volume', () => {
    expect(claimOfVolume('p', { name: 'scratch', ephemeral: {} })).toEqual({
      claimName: 'p-scratch',
      isEphemeral: true,
    });
  });

  it('knows no claim behind other volumes', () => {
    expect(claimOfVolume('p', { name: 'disk', gcePersistentDisk: { pdName: 'd' } })).toBeNull();
  });
});

describe('isOwnedByPod', () => {
  const pod = { metadata: { name: 'p', uid: 'u1' } };
  const ownedBy = (uid: string, controller?: boolean) =>
    makeClaim('c', { metadata: { ownerReferences: [{ kind: 'Pod', name: 'p', uid, controller }] } });

  it('wants the pod to be the controller', () => {
    expect(isOwnedByPod(ownedBy('u1', true), pod)).toBe(true);
    expect(isOwnedByPod(ownedBy('u1'), pod)).toBe(false);
    expect(isOwnedByPod(ownedBy('u2', true), pod)).toBe(false);
    expect(isOwnedByPod(makeClaim('c'), pod)).toBe(false);
  });
});

describe('class names', () => {
  it('come from the annotation first', () => {
    expect(claimClassName(makeClaim('c', { className: 'new', annotations: BETA_CLASS }))).toBe('old');
    expect(claimClassName(makeClaim('c', { className: 'new' }))).toBe('new');
    expect(claimClassName({})).toBe('');
    expect(volumeClassName(makeVolume('v', { className: 'new', metadata: { annotations: BETA_CLASS } }))).toBe('old');
    expect(volumeClassName(makeVolume('v', { className: 'new' }))).toBe('new');
  });
});

describe('isFullyBound', () => {
  it('needs the volume and the word of the volume controller', () => {
    expect(isFullyBound(makeClaim('c', { volume: 'v' }))).toBe(true);
    expect(isFullyBound(makeClaim('c', { spec: { volumeName: 'v' } }))).toBe(false);
    expect(isFullyBound(makeClaim('c', { annotations: { 'pv.kubernetes.io/bind-completed': '' } }))).toBe(false);
  });
});

describe('isVolumeBoundToClaim', () => {
  const claim = makeClaim('c');
  const refersTo = (claimRef: { name?: string; namespace?: string; uid?: string } | null) =>
    isVolumeBoundToClaim(makeVolume('v', { spec: { claimRef } }), claim);

  it.each([
    [{ name: 'c', namespace: 'default', uid: 'uid-c' }, true],
    [{ name: 'c', namespace: 'default' }, true],
    [{ name: 'c', namespace: 'default', uid: 'an earlier one' }, false],
    [{ name: 'c', namespace: 'other' }, false],
    [{ name: 'd', namespace: 'default' }, false],
    [null, false],
  ])('%j: %s', (claimRef, expected) => {
    expect(refersTo(claimRef)).toBe(expected);
  });
});
