import type { Labels, OwnerReference } from '../../../src/api/meta.ts';
import type { Container, ContainerPort, Pod, PodSpec } from '../../../src/api/pod.ts';
import type { ResourceList } from '../../../src/api/quantity.ts';
import type { Toleration } from '../../../src/api/taints.ts';
import type { Volume } from '../../../src/api/volumes.ts';
import type { Dice } from '../../dst/script/dice.ts';
import { DISKS, drawDeviceRequest, POOLS, TAINT_KEYS, TAINT_VALUES } from './draw-nodes.ts';
import { drawNodeAffinity, drawPodAffinity, drawPodLabels, drawSpread } from './draw-selectors.ts';
import { metaOf, plain, type Town } from './town.ts';

/** What the pods of one controller have in common; they share the spec itself. */
export interface Template {
  readonly namespace: string;
  readonly labels: Labels;
  readonly spec: PodSpec;
  readonly owners: readonly OwnerReference[] | undefined;
}

export function drawTemplate(dice: Dice, town: Town): Template {
  const labels = drawPodLabels(dice, town);
  return {
    namespace: dice.pick(town.namespaces),
    labels,
    spec: drawSpec(dice, town),
    owners: dice.maybe(3, () => [drawOwner(dice, labels)]),
  };
}

function drawOwner(dice: Dice, { app = '' }: Labels): OwnerReference {
  const [apiVersion, kind, prefix] = dice.pick([
    ['apps/v1', 'ReplicaSet', 'rs'],
    ['apps/v1', 'StatefulSet', 'sts'],
    ['v1', 'ReplicationController', 'rc'],
    ['batch/v1', 'Job', 'job'],
  ] as const);
  return { apiVersion, kind, name: `${prefix}-${app}`, uid: prefix, controller: true };
}

export function podOf({ namespace, labels, owners, spec }: Template, name: string, status: Pod['status'] = {}): Pod {
  const metadata = { ...metaOf(name, namespace, labels), ...(owners === undefined ? {} : { ownerReferences: owners }) };
  return { metadata, spec, status };
}

function drawSpec(dice: Dice, town: Town): PodSpec {
  return plain({
    schedulerName: 'default-scheduler',
    containers: dice.list(1, 2, (i) => drawContainer(dice, town, `c${i}`)),
    initContainers: dice.maybe(6, () =>
      dice.list(1, 2, (i) => ({
        ...drawContainer(dice, town, `i${i}`),
        restartPolicy: dice.maybe(3, () => 'Always'),
      })),
    ),
    overhead: dice.maybe(8, () => ({ cpu: '250m', memory: '120Mi' })),
    resources: dice.maybe(15, () => ({ requests: dice.pick([{ cpu: '3' }, { cpu: '4', memory: '3Gi' }]) })),
    nodeSelector: town.hasSelectors
      ? dice.maybe(8, () => dice.pick([{ disk: dice.pick(DISKS) }, { pool: dice.pick(POOLS) }]))
      : undefined,
    ...drawPlacement(dice, town),
    tolerations: dice.maybe(2, () => dice.list(1, 2, () => drawToleration(dice))),
    priority: dice.pick([0, 0, 0, -10, 100]),
    preemptionPolicy: dice.oneIn(12) ? 'Never' : 'PreemptLowerPriority',
    schedulingGates: dice.maybe(50, () => [{ name: 'berth.dev/gate' }]),
    volumes: town.hasStorage ? dice.maybe(2, () => dice.list(1, 2, (i) => drawVolume(dice, town, `v${i}`))) : undefined,
  });
}

function drawPlacement(dice: Dice, town: Town): Pick<PodSpec, 'affinity' | 'topologySpreadConstraints'> {
  const affinity = plain({
    nodeAffinity: town.hasSelectors ? dice.maybe(3, () => drawNodeAffinity(dice, town)) : undefined,
    podAffinity: town.hasTopology ? dice.maybe(town.affinityShare, () => drawPodAffinity(dice, town)) : undefined,
    podAntiAffinity: town.hasTopology ? dice.maybe(town.affinityShare, () => drawPodAffinity(dice, town)) : undefined,
  });
  return plain({
    affinity: Object.keys(affinity).length === 0 ? undefined : affinity,
    topologySpreadConstraints: town.hasTopology
      ? dice.maybe(Math.ceil(town.affinityShare / 2), () => drawSpread(dice, town))
      : undefined,
  });
}

function drawContainer(dice: Dice, town: Town, name: string): Container {
  const ports: ContainerPort[] = dice.list(1, 2, () => {
    const port = dice.pick([80, 80, 443, 9000]);
    return plain({
      containerPort: port,
      hostPort: dice.oneIn(5) ? undefined : port,
      hostIP: dice.maybe(3, () => dice.pick(['0.0.0.0', '10.0.0.1', '10.0.0.2', '::'])),
      protocol: dice.pick(['TCP', 'TCP', 'UDP', 'SCTP']),
    });
  });
  return plain({
    name,
    image: dice.oneIn(4) ? 'unknown/image' : dice.pick(town.images),
    ports: town.hasPorts ? dice.maybe(4, () => distinct(ports)) : undefined,
    resources: dice.oneIn(5) ? {} : { requests: drawRequests(dice, town) },
  });
}

/** The API server refuses two ports of a container that are the same. */
function distinct(ports: readonly ContainerPort[]): ContainerPort[] {
  const byKey = new Map(ports.map((port) => [JSON.stringify([port.hostPort, port.hostIP, port.protocol]), port]));
  return [...byKey.values()];
}

function drawRequests(dice: Dice, { isRoomy, hasDevices }: Town): ResourceList {
  const most = isRoomy ? 5 : 8;
  return plain({
    cpu: dice.oneIn(6) ? undefined : dice.pick(['1m', '10m', '50m', '100m', '0', '500m', '1', '2'].slice(0, most)),
    memory: dice.oneIn(6)
      ? undefined
      : dice.pick(['1234567', '50M', '64Mi', '256Mi', '0', '1Gi', '1500M', '900Mi'].slice(0, most)),
    'ephemeral-storage': hasDevices ? dice.maybe(8, () => '500Mi') : undefined,
    ...(hasDevices && dice.oneIn(8) ? drawDeviceRequest(dice) : {}),
  }) as ResourceList;
}

function drawToleration(dice: Dice): Toleration {
  if (dice.oneIn(8)) return { operator: 'Exists' };
  const key = dice.pick(TAINT_KEYS);
  const effect = dice.maybe(2, () => dice.pick(['NoSchedule', 'PreferNoSchedule', 'NoExecute']));
  if (dice.oneIn(2)) return plain({ key, operator: 'Exists', effect });
  return plain({ key, operator: dice.maybe(2, () => 'Equal'), value: dice.pick(TAINT_VALUES), effect });
}

function drawVolume(dice: Dice, { claims, images }: Town, name: string): Volume {
  const disk = dice.pick(['d1', 'd2']);
  const readOnly = dice.oneIn(2);
  switch (dice.between(0, 9)) {
    case 0:
      return { name, gcePersistentDisk: { pdName: disk, readOnly } };
    case 1:
      return { name, awsElasticBlockStore: { volumeID: disk } };
    case 2:
      return { name, iscsi: { iqn: `iqn.2001-04.com.example:${disk}`, readOnly } };
    case 3:
      return { name, rbd: { monitors: [dice.pick(['m1', 'm2']), 'm3'], pool: 'rbd', image: disk, readOnly } };
    case 4:
      return { name, image: { reference: dice.pick(images) } };
    default:
      return { name, persistentVolumeClaim: { claimName: dice.pick(claims) } };
  }
}
