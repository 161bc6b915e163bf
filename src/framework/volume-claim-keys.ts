import type { PersistentVolumeClaim } from '../api/storage.ts';
import { claimOfVolume } from '../api/volume-claims.ts';
import { type HintKeys, READS_POD } from './events.ts';

/** The claims that the pod's volumes use, and the claim that the event is about, by namespace and name. */
const VOLUME_CLAIM_KEYS: HintKeys = {
  ofPod({ pod, namespace }) {
    const podName = pod.metadata?.name ?? '';
    const claims = (pod.spec?.volumes ?? []).flatMap((volume) => claimOfVolume(podName, volume) ?? []);
    return claims.map(({ claimName }) => `${namespace}/${claimName}`);
  },
  ofEvent(before, after) {
    const { namespace, name = '' } = ((after ?? before) as PersistentVolumeClaim).metadata ?? {};
    return [`${namespace || 'default'}/${name}`];
  },
};

/** The options of a hint about events of claims that lets only pods be tried that use the claim. */
export const READS_VOLUME_CLAIMS = { ...READS_POD, keys: VOLUME_CLAIM_KEYS };
