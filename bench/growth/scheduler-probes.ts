import type { Node } from '../../src/api/node.ts';
import type { Pod, PodSpec } from '../../src/api/pod.ts';
import type { ObjectKind, Scheduler } from '../../src/index.ts';
import type { Probe } from './growth.ts';

const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';
const OPERATIONS = 50;

interface OtherObject {
  readonly kind: ObjectKind;
  readonly object: object;
}

/** A cluster, and the pods that are placed in it. Its parts are made by number. */
interface Scene {
  /** The objects of other kinds that come with each node. */
  readonly others?: (i: number) => readonly OtherObject[];
  /** The objects of other kinds of which the cluster has one. */
  readonly once?: readonly OtherObject[];
  /** The spec of a pod that is placed. */
  readonly pod?: (i: number, size: number) => Partial<PodSpec>;
  /** The labels of the pods; absent: those of one of as many apps as there are nodes. */
  readonly labels?: (i: number, size: number) => Readonly<Record<string, string>>;
  /** What happens before a pod is placed, as a part of the operation. */
  readonly before?: (scheduler: Scheduler, i: number, size: number) => void;
  /** Whether another pod is nominated for one of the nodes, which has room for both. */
  readonly isBesideNominated?: true;
  /** Whether the pods fit nowhere, instead of being placed. */
  readonly fitsNowhere?: true;
}

const appOf = (i: number, size: number): string => `app-${i % size}`;
const labelSelector = (i: number, size: number) => ({ matchLabels: { app: appOf(i, size) } });
const affinity = (kind: 'podAffinity' | 'podAntiAffinity', topologyKey: string) => (i: number, size: number) => ({
  affinity: {
    [kind]: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: labelSelector(i, size) }],
    },
  },
});
const spread = (topologyKey: string, whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway') => {
  return (i: number, size: number): Partial<PodSpec> => ({
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey, whenUnsatisfiable, labelSelector: labelSelector(i, size) }],
  });
};
const claimed = (claimName: string): Partial<PodSpec> => ({
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
});
const TOO_LARGE = { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '9999' } } }] };
const onOneNode = (i: number, size: number): Partial<PodSpec> => ({
  nodeSelector: { [HOSTNAME]: nodeName((i * 7) % size) },
});

/** The name of a scene says what its operation is: a pod that is decided about. */
const SCENES: Readonly<Record<string, Scene>> = {
  'a pod like others': {},
  'a pod of an app of its own': { labels: (i) => ({ app: `own-${i}` }) },
  'a pod for one node': { pod: onOneNode },
  'a pod near its app': { pod: affinity('podAffinity', ZONE) },
  'a pod away from its app': { pod: affinity('podAntiAffinity', HOSTNAME) },
  'a pod spread over zones': { pod: spread(ZONE, 'DoNotSchedule') },
  'a pod spread softly over nodes': { pod: spread(HOSTNAME, 'ScheduleAnyway') },
  'a pod beside a nominated one': { isBesideNominated: true },
  'a pod of a service': {
    others: (i) => [objectOf('Service', `service-${i}`, { spec: { selector: { app: `app-${i}` } } })],
  },
  'a pod with a bound claim': {
    once: [classOf('Immediate')],
    others: boundVolume,
    pod: (i, size) => claimed(`claim-${i % size}`),
  },
  'a pod whose claim waits for it': {
    once: [classOf('WaitForFirstConsumer')],
    others: (i) => [freeVolume(i), claimOf(`claim-${i}`)],
    pod: (i, size) => claimed(`claim-${i % size}`),
  },
  'a pod after a node changed': {
    before: (scheduler, i, size) => scheduler.updateNode(nodeOf((i * 7) % size, { round: `${i}` })),
  },
  'a pod after a node came': { before: (scheduler, i, size) => scheduler.addNode(nodeOf(size + i)) },
  'a pod after a pod went': { before: (scheduler, i, size) => removePodOfNode(scheduler, i % size) },
  'a pod that is refused': { pod: () => TOO_LARGE, fitsNowhere: true },
  'a pod that is refused after a node changed': {
    pod: () => TOO_LARGE,
    before: (scheduler, i, size) => scheduler.updateNode(nodeOf((i * 7) % size, { round: `${i}` })),
    fitsNowhere: true,
  },
};

/** Probes of the decision core by itself, each with as many nodes, and pods on them, as its size. */
export function schedulerProbes(newScheduler: () => Scheduler): Readonly<Record<string, Probe>> {
  const probes = Object.entries(SCENES).map(([name, scene]) => [name, probeOf(scene, newScheduler)] as const);
  return Object.fromEntries(probes);
}

function probeOf(scene: Scene, newScheduler: () => Scheduler): Probe {
  const { others = () => [], once = [], pod = () => ({}), before = () => {}, fitsNowhere } = scene;
  return (size) => {
    const labels = (i: number) => scene.labels?.(i, size) ?? { app: appOf(i, size) };
    const scheduler = newScheduler();
    for (const { kind, object } of once) scheduler.setObject(kind, object as never);
    for (let i = 0; i < size; i++) {
      scheduler.addNode(nodeOf(i));
      scheduler.addPod(podOf(`there-${i}`, labels(i), { nodeName: nodeName(i) }));
      for (const { kind, object } of others(i)) scheduler.setObject(kind, object as never);
    }
    if (scene.isBesideNominated) {
      const waiting = podOf('waiting', {}, { priority: 1 });
      scheduler.addPod({ ...waiting, status: { nominatedNodeName: nodeName(0) } });
    }
    let next = 0;
    return () => {
      for (let k = 0; k < OPERATIONS; k++) {
        const i = next++;
        before(scheduler, i, size);
        const { status } = scheduler.schedule(podOf(`new-${i}`, labels(i), pod(i, size)));
        if ((status === 'scheduled') === (fitsNowhere === true)) throw new Error(`pod ${i}: ${status}`);
      }
      return OPERATIONS;
    };
  };
}

function nodeName(i: number): string {
  return `node-${i}`;
}

function nodeOf(i: number, labels: Readonly<Record<string, string>> = {}): Node {
  const name = nodeName(i);
  return {
    metadata: { name, labels: { [HOSTNAME]: name, [ZONE]: `zone-${i % 3}`, ...labels } },
    status: { allocatable: { cpu: '64', memory: '256Gi', pods: '500' } },
  };
}

function podOf(name: string, labels: Readonly<Record<string, string>>, spec: Partial<PodSpec>): Pod {
  const resources = { requests: { cpu: '10m', memory: '10Mi' } };
  return {
    metadata: { name, namespace: 'default', uid: name, labels },
    spec: { containers: [{ name: 'main', image: 'app', resources }], ...spec },
  };
}

/** Removes the pod that the node has had from the beginning, if it is still there. */
function removePodOfNode(scheduler: Scheduler, i: number): void {
  if (scheduler.pod('default', `there-${i}`) !== undefined) scheduler.removePod('default', `there-${i}`);
}

function objectOf(kind: ObjectKind, name: string, rest: object): OtherObject {
  return { kind, object: { metadata: { name, namespace: 'default', uid: name }, ...rest } };
}

function classOf(volumeBindingMode: string): OtherObject {
  const rest = { provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode };
  return { kind: 'StorageClass', object: { metadata: { name: 'disks' }, ...rest } };
}

const SIZE = { accessModes: ['ReadWriteOnce'], storageClassName: 'disks' };

function claimOf(name: string, bound: object = {}): OtherObject {
  const spec = { ...SIZE, resources: { requests: { storage: '1Gi' } }, ...bound };
  return objectOf('PersistentVolumeClaim', name, { spec });
}

function volumeOf(i: number, rest: object, nodeAffinity: object): OtherObject {
  const spec = { ...SIZE, capacity: { storage: '1Gi' }, local: { path: '/disk' }, nodeAffinity, ...rest };
  return {
    kind: 'PersistentVolume',
    object: { metadata: { name: `volume-${i}` }, spec, status: { phase: 'Available' } },
  };
}

const onlyOn = (key: string, value: string) => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [value] }] }] },
});

function freeVolume(i: number): OtherObject {
  return volumeOf(i, {}, onlyOn(HOSTNAME, nodeName(i)));
}

function boundVolume(i: number): OtherObject[] {
  const name = `claim-${i}`;
  const claimRef = { namespace: 'default', name, uid: name };
  const { object, kind } = claimOf(name, { volumeName: `volume-${i}` });
  const metadata = { name, namespace: 'default', uid: name };
  const annotations = { 'pv.kubernetes.io/bind-completed': 'yes' };
  const claim = { kind, object: { ...object, metadata: { ...metadata, annotations }, status: { phase: 'Bound' } } };
  return [volumeOf(i, { claimRef }, onlyOn(ZONE, `zone-${i % 3}`)), claim];
}
