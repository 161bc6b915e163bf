import type { PersistentVolume, PersistentVolumeClaim } from '../../../src/api/storage.ts';
import { HOSTNAME_LABEL, ZONE_LABEL } from '../../../src/api/topology-spread.ts';
import type { Dice } from '../../dst/script/dice.ts';
import type { ScriptEvent } from '../../parity/script/script-case.ts';
import { drawNodeTerm } from './draw-selectors.ts';
import { metaOf, plain, type Town } from './town.ts';

type Drawn = Extract<ScriptEvent, { readonly t: 'set' | 'unset' }>;

const DRIVER = 'csi.example.com';
const CAPACITY_DRIVER = 'cap.example.com';
const AWS_DRIVER = 'ebs.csi.aws.com';

/** The binding mode and the provisioner of each storage class. */
const CLASSES = {
  'sc-now': ['Immediate', DRIVER],
  'sc-wait': ['WaitForFirstConsumer', 'kubernetes.io/no-provisioner'],
  'sc-make': ['WaitForFirstConsumer', DRIVER],
  'sc-cap': ['WaitForFirstConsumer', CAPACITY_DRIVER],
} as const;
const CLASS_NAMES = ['sc-now', 'sc-wait', 'sc-wait', 'sc-make', 'sc-cap'] as const;

/** Claims, volumes and classes as a cluster has them that nobody has changed yet. */
export function drawStorage(dice: Dice, town: Town): Drawn[] {
  return [
    ...Object.keys(CLASSES).map((name) => drawClass(dice, town, name as keyof typeof CLASSES)),
    drawDriver(dice),
    ...town.zones.map((zone, i) => drawCapacity(dice, zone, i)),
    ...town.volumes.map((name) => drawVolume(dice, town, name)),
    ...town.namespaces.flatMap((namespace) => town.claims.map((name) => drawClaim(dice, town, name, namespace))),
    ...town.nodeNames.filter(() => !dice.oneIn(3)).map((name) => drawCSINode(dice, name)),
  ];
}

export function drawStorageObject(dice: Dice, town: Town): Drawn {
  switch (dice.between(0, 8)) {
    case 0:
      return drawClass(dice, town, dice.pick(CLASS_NAMES));
    case 1:
      return drawDriver(dice);
    case 2:
      return drawCapacity(dice, dice.pick(town.zones), dice.between(0, town.zones.length - 1));
    case 3:
      return drawVolume(dice, town, dice.pick(town.volumes));
    case 4:
      return drawCSINode(dice, dice.pick(town.nodeNames));
    case 5:
      return drawAttachment(dice, town);
    default:
      return drawClaim(dice, town, dice.pick(town.claims), dice.pick(town.namespaces));
  }
}

export function drawStorageRemoval(dice: Dice, town: Town): Drawn {
  switch (dice.between(0, 5)) {
    case 0:
      return { t: 'unset', k: 'StorageClass', n: dice.pick(CLASS_NAMES) };
    case 1:
      return { t: 'unset', k: 'PersistentVolume', n: dice.pick(town.volumes) };
    case 2:
      return { t: 'unset', k: 'CSINode', n: dice.pick(town.nodeNames) };
    case 3:
      return { t: 'unset', k: 'VolumeAttachment', n: `va-${dice.between(0, 4)}` };
    case 4:
      return { t: 'unset', k: 'CSIStorageCapacity', n: `cap-${dice.between(0, 3)}`, ns: 'default' };
    default:
      return { t: 'unset', k: 'PersistentVolumeClaim', n: dice.pick(town.claims), ns: dice.pick(town.namespaces) };
  }
}

function drawClass(dice: Dice, { zones }: Town, name: keyof typeof CLASSES): Drawn {
  const [volumeBindingMode, provisioner] = CLASSES[name];
  const allowedTopologies = dice.maybe(4, () => [
    { matchLabelExpressions: [{ key: ZONE_LABEL, values: dice.some(zones, 1, 2) }] },
  ]);
  return {
    t: 'set',
    k: 'StorageClass',
    o: plain({ metadata: metaOf(name), provisioner, volumeBindingMode, allowedTopologies }),
  };
}

function drawDriver(dice: Dice): Drawn {
  const spec = { storageCapacity: !dice.oneIn(4) };
  return { t: 'set', k: 'CSIDriver', o: { metadata: metaOf(CAPACITY_DRIVER), spec } };
}

function drawCapacity(dice: Dice, zone: string, i: number): Drawn {
  const o = {
    metadata: metaOf(`cap-${i}`, 'default'),
    nodeTopology: { matchLabels: { [ZONE_LABEL]: zone } },
    storageClassName: 'sc-cap',
    capacity: dice.maybe(2, () => dice.pick(['0', '2Gi', '100Gi'])),
    maximumVolumeSize: dice.maybe(4, () => '1Gi'),
  };
  return { t: 'set', k: 'CSIStorageCapacity', o: plain(o) };
}

function drawVolume(dice: Dice, town: Town, name: string): Drawn {
  const claim = dice.maybe(3, () => dice.pick(town.claims));
  const namespace = dice.pick(town.namespaces);
  const hosts = () => ({
    matchExpressions: [{ key: HOSTNAME_LABEL, operator: 'In', values: [dice.pick(town.nodeNames)] }],
  });
  const places = () => ({ matchExpressions: [{ key: ZONE_LABEL, operator: 'In', values: [dice.pick(town.zones)] }] });
  const term = dice.pick([hosts, places, places, () => drawNodeTerm(dice, town)]);
  const source = dice.pick([
    { csi: { driver: DRIVER, volumeHandle: `h-${name}` } },
    { csi: { driver: DRIVER, volumeHandle: `h-${name}` } },
    { awsElasticBlockStore: { volumeID: `aws://us-east-1a/vol-${name}` } },
    {},
  ]);
  const zone = dice.oneIn(5) ? `${dice.pick(town.zones)}__${dice.pick(town.zones)}` : dice.pick(town.zones);
  const o: PersistentVolume = {
    metadata: metaOf(name, undefined, dice.oneIn(3) ? { [ZONE_LABEL]: zone } : {}),
    spec: {
      ...source,
      capacity: { storage: dice.pick(['1Gi', '4Gi', '7000Mi']) },
      accessModes: dice.pick([['ReadWriteOnce'], ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteOncePod']]),
      storageClassName: dice.pick(CLASS_NAMES),
      volumeMode: 'Filesystem',
      claimRef: claim === undefined ? undefined : { namespace, name: claim, uid: `u-${namespace}-${claim}` },
      nodeAffinity: dice.maybe(2, () => ({ required: { nodeSelectorTerms: [term()] } })),
    },
    status: { phase: claim === undefined ? 'Available' : 'Bound' },
  };
  return { t: 'set', k: 'PersistentVolume', o: plain(o) };
}

function drawClaim(dice: Dice, { volumes }: Town, name: string, namespace: string): Drawn {
  const isBound = dice.oneIn(2);
  const metadata = metaOf(name, namespace);
  const annotations = { 'pv.kubernetes.io/bind-completed': 'yes' };
  const o: PersistentVolumeClaim = {
    metadata: isBound && !dice.oneIn(10) ? { ...metadata, annotations } : metadata,
    spec: {
      accessModes: [dice.oneIn(6) ? 'ReadWriteOncePod' : 'ReadWriteOnce'],
      resources: { requests: { storage: dice.pick(['500Mi', '2Gi', '5Gi']) } },
      storageClassName: dice.oneIn(15) ? 'sc-gone' : dice.pick(CLASS_NAMES),
      volumeMode: 'Filesystem',
      volumeName: isBound ? dice.pick(volumes) : undefined,
    },
    status: { phase: isBound ? 'Bound' : 'Pending' },
  };
  return { t: 'set', k: 'PersistentVolumeClaim', o: plain(o) };
}

function drawCSINode(dice: Dice, name: string): Drawn {
  const drivers = dice
    .some([DRIVER, AWS_DRIVER, CAPACITY_DRIVER], 0, 3)
    .map((driver) => plain({ name: driver, allocatable: dice.oneIn(3) ? undefined : { count: dice.between(0, 3) } }));
  const migrated = { 'storage.alpha.kubernetes.io/migrated-plugins': 'kubernetes.io/aws-ebs,kubernetes.io/gce-pd' };
  const metadata = metaOf(name);
  return {
    t: 'set',
    k: 'CSINode',
    o: { metadata: dice.oneIn(2) ? { ...metadata, annotations: migrated } : metadata, spec: { drivers } },
  };
}

function drawAttachment(dice: Dice, { volumes, nodeNames }: Town): Drawn {
  const source = { persistentVolumeName: dice.pick(volumes) };
  const spec = { attacher: DRIVER, source, nodeName: dice.pick(nodeNames) };
  return { t: 'set', k: 'VolumeAttachment', o: { metadata: metaOf(`va-${dice.between(0, 4)}`), spec } };
}
