import type { JsonObject } from '../object/json.ts';
import { pullPolicyOf } from './image-pull-policy.ts';
import { fill, fillText, objectAt, objectsAt, textAt } from './members.ts';

const FILE_MODE = 0o644;
const TOKEN_SECONDS = 3600;

/** Defaults of the sources that volumes of pods and persistent volumes share. */
export function setVolumeSourceDefaults(source: JsonObject): void {
  const at = (name: string): JsonObject | undefined => objectAt(source, name);
  const hostPath = at('hostPath');
  if (hostPath !== undefined) fill(hostPath, 'type', '');
  const iscsi = at('iscsi');
  if (iscsi !== undefined) fillText(iscsi, 'iscsiInterface', 'default');
  const rbd = at('rbd');
  if (rbd !== undefined) {
    fillText(rbd, 'pool', 'rbd');
    fillText(rbd, 'user', 'admin');
    fillText(rbd, 'keyring', '/etc/ceph/keyring');
  }
  const azure = at('azureDisk');
  if (azure !== undefined) {
    fill(azure, 'cachingMode', 'ReadWrite');
    fill(azure, 'kind', 'Shared');
    fill(azure, 'fsType', 'ext4');
    fill(azure, 'readOnly', false);
  }
  const scaleIo = at('scaleIO');
  if (scaleIo !== undefined) {
    fillText(scaleIo, 'storageMode', 'ThinProvisioned');
    fillText(scaleIo, 'fsType', 'xfs');
  }
}

export function setVolumeDefaults(volume: JsonObject): void {
  if (Object.keys(volume).every((name) => name === 'name')) volume['emptyDir'] = {};
  setVolumeSourceDefaults(volume);
  for (const name of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    const source = objectAt(volume, name);
    if (source !== undefined) fill(source, 'defaultMode', FILE_MODE);
  }
  setDownwardDefaults(objectAt(volume, 'downwardAPI'));
  for (const source of objectsAt(objectAt(volume, 'projected'), 'sources')) {
    setDownwardDefaults(objectAt(source, 'downwardAPI'));
    const token = objectAt(source, 'serviceAccountToken');
    if (token !== undefined) fill(token, 'expirationSeconds', TOKEN_SECONDS);
  }
  const image = objectAt(volume, 'image');
  if (image !== undefined) fillText(image, 'pullPolicy', pullPolicyOf(textAt(image, 'reference')));
  const claim = objectAt(objectAt(objectAt(volume, 'ephemeral'), 'volumeClaimTemplate'), 'spec');
  if (claim !== undefined) fill(claim, 'volumeMode', 'Filesystem');
}

function setDownwardDefaults(source: JsonObject | undefined): void {
  for (const item of objectsAt(source, 'items')) {
    const field = objectAt(item, 'fieldRef');
    if (field !== undefined) fillText(field, 'apiVersion', 'v1');
  }
}
