import type { Check } from './check.ts';
import { dnsLabel, dnsSubdomain } from './names.ts';
import { all, arrayOf, boolean, object, required, string, uniqueBy } from './shapes.ts';

/** Sources that pods and persistent volumes share; sources that scheduling never reads only have to be objects. */
export const inTreeVolumeSource: Readonly<Record<string, Check>> = {
  gcePersistentDisk: object({ pdName: required(string), readOnly: boolean }),
  awsElasticBlockStore: object({ volumeID: required(string), readOnly: boolean }),
  azureDisk: object({ diskName: required(string), diskURI: required(string) }),
  azureFile: object({}),
  cinder: object({ volumeID: required(string) }),
  portworxVolume: object({ volumeID: required(string) }),
  vsphereVolume: object({}),
  iscsi: object({ iqn: required(string), readOnly: boolean }),
  rbd: object({ monitors: arrayOf(string), pool: string, image: required(string), readOnly: boolean }),
};

const volume = object({
  ...inTreeVolumeSource,
  name: required(dnsLabel),
  image: object({ reference: string }),
  persistentVolumeClaim: object({ claimName: required(dnsSubdomain) }),
  ephemeral: object({ volumeClaimTemplate: required(object({})) }),
});

/** The check of a pod's `spec.volumes`. */
export const volumes: Check = all(arrayOf(volume), uniqueBy('name', 'volume name'));
