import type { Pod } from '../../src/api/pod.ts';
import type { Cluster, ClusterOptions } from '../../src/index-cluster.ts';
import type { Probe } from './growth.ts';

const NAMESPACE = 'default';
const LIMIT_MILLIS = 3_600_000;
/** So many calls beside many objects, that a collection of garbage among them counts little. */
const OPERATIONS = 500;
/** How many pods come on a node in the mean; it has room for twice as many. */
const PODS_PER_NODE = 25;

type NewCluster = (options: ClusterOptions) => Cluster;

/** Works on a cluster with so many objects. Returns how many operations that was; undefined: one for each object. */
type Work = (cluster: Cluster, size: number) => number | undefined;

interface Scene {
  /** How many nodes there are; absent: as few as `size` pods need. */
  readonly nodes?: (size: number) => number;
  /** What is there before the work begins. */
  readonly before?: (cluster: Cluster, size: number) => void;
  readonly work: Work;
}

/** The name of a scene says what its operations are: objects that come or change, or calls beside many objects. */
const SCENES: Readonly<Record<string, Scene>> = {
  'Deployments of one pod': {
    work(cluster, size) {
      for (let i = 0; i < size; i++) cluster.store.create('deployments', setOf(`web-${i}`, 1));
      untilRunning(cluster, size);
    },
  },
  'pods of a Deployment that is updated': {
    before(cluster, size) {
      cluster.store.create('deployments', setOf('web', size));
      untilRunning(cluster, size);
    },
    work(cluster, size) {
      update(cluster, 'deployments');
      until(cluster, () => {
        const { metadata, status } = cluster.store.get('deployments', NAMESPACE, 'web');
        if (status?.observedGeneration !== metadata?.generation) return false;
        return status?.updatedReplicas === size && status.availableReplicas === size && status.replicas === size;
      });
    },
  },
  'pods of a StatefulSet': {
    work(cluster, size) {
      const { metadata, spec } = setOf('web', size);
      cluster.store.create('statefulsets', { metadata, spec: { ...spec, podManagementPolicy: 'Parallel' } });
      untilRunning(cluster, size);
    },
  },
  'Jobs of one pod': {
    work(cluster, size) {
      const template = { ...TEMPLATE, spec: { ...TEMPLATE.spec, restartPolicy: 'Never' } } as const;
      for (let i = 0; i < size; i++)
        cluster.store.create('jobs', { metadata: { name: `job-${i}`, namespace: NAMESPACE }, spec: { template } });
      until(cluster, () => podsOf(cluster).length >= size);
    },
  },
  'nodes of a DaemonSet': {
    nodes: (size) => size,
    work(cluster, size) {
      cluster.store.create('daemonsets', setOf('web'));
      untilRunning(cluster, size);
    },
  },
  'nodes of a DaemonSet that is updated': {
    nodes: (size) => size,
    before(cluster, size) {
      const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } } as const;
      const { metadata, spec } = setOf('web');
      cluster.store.create('daemonsets', { metadata, spec: { ...spec, updateStrategy } });
      untilRunning(cluster, size);
    },
    work(cluster, size) {
      update(cluster, 'daemonsets');
      until(cluster, () => {
        const { metadata, status } = cluster.store.get('daemonsets', NAMESPACE, 'web');
        if (status?.observedGeneration !== metadata?.generation) return false;
        return status?.updatedNumberScheduled === size && status.numberAvailable === size;
      });
    },
  },
  'budgets with a pod each': {
    work(cluster, size) {
      for (let i = 0; i < size; i++) {
        const labels = { app: `web-${i}` };
        cluster.store.create('poddisruptionbudgets', {
          metadata: { name: `web-${i}`, namespace: NAMESPACE },
          spec: { minAvailable: 1, selector: { matchLabels: labels } },
        });
        cluster.store.create('pods', { ...TEMPLATE, metadata: { name: `web-${i}`, namespace: NAMESPACE, labels } });
      }
      untilRunning(cluster, size);
      until(cluster, () => {
        const { items } = cluster.store.list('poddisruptionbudgets');
        return items.every(({ status }) => status?.currentHealthy === 1);
      });
    },
  },
  'claims that find a volume': {
    work(cluster, size) {
      const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'disks' };
      for (let i = 0; i < size; i++) {
        cluster.store.create('persistentvolumes', {
          metadata: { name: `volume-${i}` },
          spec: { ...spec, capacity: { storage: '1Gi' }, csi: { driver: 'disks', volumeHandle: `disk-${i}` } },
        });
        cluster.store.create('persistentvolumeclaims', {
          metadata: { name: `claim-${i}`, namespace: NAMESPACE },
          spec: { ...spec, resources: { requests: { storage: '1Gi' } } },
        });
      }
      until(cluster, () => {
        const { items } = cluster.store.list('persistentvolumeclaims');
        return items.every(({ status }) => status?.phase === 'Bound');
      });
    },
  },
  'pods of an owner that is deleted': {
    before(cluster, size) {
      cluster.store.create('deployments', setOf('web', size));
      untilRunning(cluster, size);
    },
    work(cluster) {
      cluster.store.delete('deployments', NAMESPACE, 'web', { propagationPolicy: 'Background' });
      until(cluster, () => podsOf(cluster).length === 0);
    },
  },
  'evictions beside many pods': {
    before: createPods,
    work(cluster) {
      const pods = podsOf(cluster).slice(0, OPERATIONS);
      for (const { metadata } of pods) cluster.store.evict(NAMESPACE, metadata?.name ?? '', { gracePeriodSeconds: 0 });
      cluster.runFor(1000);
      return pods.length;
    },
  },
  'writes beside watches of one pod each': {
    before(cluster, size) {
      createPods(cluster, size);
      for (let i = 0; i < size; i++) {
        const fieldSelector = `metadata.name=web-${i}`;
        const options = { namespace: NAMESPACE, fieldSelector, resourceVersion: '0' };
        drain(cluster.store.watch('pods', options));
      }
    },
    work(cluster, size) {
      const body = { metadata: { annotations: { round: `${cluster.loop.nowMillis()}` } } };
      for (let k = 0; k < OPERATIONS; k++)
        cluster.store.patch('pods', NAMESPACE, `web-${(k * 7) % size}`, { type: 'merge', body });
      cluster.runFor(1000);
      return OPERATIONS;
    },
  },
  'changes of a node beside waiting pods': {
    before: createWaitingPods,
    work(cluster) {
      for (let k = 0; k < OPERATIONS; k++) {
        label(cluster, 'node-0', { round: `${k}` });
        cluster.runFor(10);
      }
      return OPERATIONS;
    },
  },
  'claims beside pods that wait for theirs': {
    before: createWaitingPods,
    work(cluster) {
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
      for (let k = 0; k < OPERATIONS; k++) {
        cluster.store.create('persistentvolumeclaims', { metadata: { name: `of-another-${k}` }, spec });
        cluster.runFor(10);
      }
      return OPERATIONS;
    },
  },
  'waiting pods that a node lets in': {
    before: createWaitingPods,
    work(cluster, size) {
      const pods = Math.min(size >> 1, OPERATIONS);
      for (let k = 0; k < pods; k++) label(cluster, `node-${k % fewNodes(size)}`, { [`disk-${k}`]: 'here' });
      until(cluster, () => podsOf(cluster).filter(({ spec }) => spec?.nodeName).length >= pods);
      return pods;
    },
  },
  'pods of a namespace that is deleted': {
    before(cluster, size) {
      cluster.store.create('namespaces', { metadata: { name: 'gone' } });
      createPods(cluster, size, 'gone');
    },
    work(cluster) {
      cluster.store.delete('namespaces', '', 'gone');
      until(cluster, () => podsOf(cluster, 'gone').length === 0);
    },
  },
  'CronJobs with a Job each': {
    work(cluster, size) {
      const template = { ...TEMPLATE, spec: { ...TEMPLATE.spec, restartPolicy: 'Never' } } as const;
      const spec = { schedule: '* * * * *', jobTemplate: { spec: { template } } };
      for (let i = 0; i < size; i++) cluster.store.create('cronjobs', { metadata: { name: `cron-${i}` }, spec });
      until(cluster, () => podsOf(cluster).length >= size);
    },
  },
  'lists of one pod by its name': {
    before: createPods,
    work: listsBy(({ metadata }) => `metadata.name=${metadata?.name}`),
  },
  'lists of the pods of a node': { before: createPods, work: listsBy(({ spec }) => `spec.nodeName=${spec?.nodeName}`) },
};

/** Probes of a whole control plane with node agents, each with as many objects of one kind as its size. */
export function clusterProbes(newCluster: NewCluster): Readonly<Record<string, Probe>> {
  const probes = Object.entries(SCENES).map(([name, scene]) => [name, probeOf(scene, newCluster)] as const);
  return Object.fromEntries(probes);
}

function probeOf({ nodes = fewNodes, before, work }: Scene, newCluster: NewCluster): Probe {
  return (size) => {
    const cluster = newCluster({ scheduler: {}, nodeAgents: {} });
    cluster.start();
    for (let i = 0; i < nodes(size); i++) cluster.store.create('nodes', nodeOf(i));
    cluster.runFor(1000);
    before?.(cluster, size);
    return () => work(cluster, size) ?? size;
  };
}

function fewNodes(size: number): number {
  return Math.ceil(size / PODS_PER_NODE) + 1;
}

function nodeOf(i: number) {
  const name = `node-${i}`;
  const allocatable = { cpu: '64', memory: '256Gi', pods: `${2 * PODS_PER_NODE}` };
  return {
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    status: { allocatable, capacity: allocatable },
  };
}

const TEMPLATE = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '1m' } } }] },
} as const;

/** A set of pods; without replicas one of a pod for each node. */
function setOf(name: string, replicas?: number) {
  const labels = { app: name };
  const template = { ...TEMPLATE, metadata: { labels } };
  return {
    metadata: { name, namespace: NAMESPACE },
    spec: { selector: { matchLabels: labels }, template, ...(replicas !== undefined && { replicas }) },
  };
}

function createPods(cluster: Cluster, size: number, namespace = NAMESPACE): void {
  for (let i = 0; i < size; i++)
    cluster.store.create('pods', { ...TEMPLATE, metadata: { name: `web-${i}`, namespace } });
  untilRunning(cluster, size, namespace);
}

/** Half of the pods wait for a node with a label of their own, the others for a claim of their own. */
function createWaitingPods(cluster: Cluster, size: number): void {
  for (let i = 0; i < size; i++) {
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: `data-${i}` } }];
    const wish = i % 2 === 0 ? { nodeSelector: { [`disk-${i / 2}`]: 'here' } } : { volumes };
    const metadata = { name: `waiting-${i}`, namespace: NAMESPACE };
    cluster.store.create('pods', { metadata, spec: { ...TEMPLATE.spec, ...wish } });
  }
  cluster.runFor(60_000);
}

function label(cluster: Cluster, node: string, labels: Readonly<Record<string, string>>): void {
  cluster.store.patch('nodes', '', node, { type: 'merge', body: { metadata: { labels } } });
}

function update(cluster: Cluster, resource: 'deployments' | 'daemonsets'): void {
  const body = { spec: { template: { metadata: { annotations: { round: `${cluster.loop.nowMillis()}` } } } } };
  cluster.store.patch(resource, NAMESPACE, 'web', { type: 'merge', body });
}

function listsBy(fieldSelectorOf: (pod: Pod) => string): Work {
  return (cluster) => {
    const pods = podsOf(cluster).slice(0, OPERATIONS);
    for (const pod of pods) {
      const fieldSelector = fieldSelectorOf(pod);
      if (cluster.store.list('pods', { namespace: NAMESPACE, fieldSelector }).items.length === 0)
        throw new Error(`${fieldSelector}: no pod`);
    }
    return pods.length;
  };
}

function drain(watch: ReturnType<Cluster['store']['watch']>): void {
  const read = (): void => {
    while (watch.next() !== undefined);
  };
  read();
  watch.onReady(read);
}

function podsOf(cluster: Cluster, namespace = NAMESPACE): readonly Pod[] {
  return cluster.store.list('pods', { namespace }).items;
}

function untilRunning(cluster: Cluster, count: number, namespace = NAMESPACE): void {
  until(cluster, () => podsOf(cluster, namespace).filter(({ status }) => status?.phase === 'Running').length >= count);
}

function until(cluster: Cluster, isDone: () => boolean): void {
  if (!cluster.runUntil(isDone, LIMIT_MILLIS)) throw new Error('the cluster did not get there within an hour');
}
