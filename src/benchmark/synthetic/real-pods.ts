import { defaultPod } from '../../api/defaults.ts';
import type { OwnerReference } from '../../api/meta.ts';
import type { Container, Pod, PodSpec } from '../../api/pod.ts';
import type { Prng } from '../../lib/prng.ts';
import { REAL_DEPLOYMENTS, REAL_IMAGES } from './real-images.ts';
import { BATCH_TAINT, REAL_POOLS, realNodeName } from './real-nodes.ts';

const DAEMON_SETS = 8;
/** One pod of so many is a DaemonSet's. */
const DAEMON_SHARE = 10;
/** Replicas of a Deployment come in bursts of up to so many. */
const BURST_PODS_MAX = 12;
const NAMESPACES = 12;
const CREATED = '2026-01-01T00:00:00Z';

const CPUS = ['25m', '50m', '100m', '100m', '250m', '500m', '1', '2'] as const;
const MEMORIES = ['64Mi', '128Mi', '256Mi', '256Mi', '512Mi', '1Gi', '2Gi', '4Gi'] as const;

/** What the pods of one ReplicaSet have in common. */
interface Deployment {
  readonly index: number;
  readonly name: string;
  readonly namespace: string;
  /** The label `pod-template-hash`, with which the names of the ReplicaSet and its pods continue. */
  readonly hash: string;
}

/**
 * Pods as an API server returns them, no object shared: of 60 Deployments, whose sizes differ, in bursts; every tenth
 * of one of 8 DaemonSets, each of them for one node. Of the Deployments 20 % spread softly over hosts and zones, 10 %
 * prefer other hosts than their own pods', 5 % have a claim in every pod, 5 % use host ports, 20 % have a priority.
 */
export function realPods(nodeCount: number, podCount: number, prng: Prng): Pod[] {
  const deployments = Array.from({ length: REAL_DEPLOYMENTS }, (_, index) => newDeployment(index, prng));
  const pods: Pod[] = [];
  let [deployment, left] = [deployments[0] as Deployment, 0];
  for (let i = 0; i < podCount; i++) {
    if (i % DAEMON_SHARE === DAEMON_SHARE - 1) {
      const number = Math.floor(i / DAEMON_SHARE);
      pods.push(daemonPod(i, number % DAEMON_SETS, Math.floor(number / DAEMON_SETS) % nodeCount));
      continue;
    }
    if (left === 0) {
      // Half of the bursts are of the ten largest Deployments.
      deployment = deployments[prng.below(prng.below(2) === 0 ? 10 : REAL_DEPLOYMENTS)] as Deployment;
      left = 1 + prng.below(BURST_PODS_MAX);
    }
    left--;
    pods.push(replica(deployment, i));
  }
  return pods;
}

/** The claim of a pod with the volume `data`; undefined for a pod without. */
export function realClaimName({ metadata, spec }: Pod): string | undefined {
  return spec?.volumes?.some(({ name }) => name === 'data') ? `data-${metadata?.name}` : undefined;
}

function newDeployment(index: number, prng: Prng): Deployment {
  const name = `app-${index}`;
  return { index, name, namespace: `team-${index % NAMESPACES}`, hash: suffix(prng.next(), 10) };
}

function replica({ index, name, namespace, hash }: Deployment, number: number): Pod {
  const owner = `${name}-${hash}`;
  const podName = `${owner}-${suffix(number, 5)}`;
  const labels = { app: name, 'app.kubernetes.io/name': name, 'pod-template-hash': hash };
  return newPod(podName, number, { namespace, labels, owner: ['ReplicaSet', owner] }, replicaSpec(index, podName));
}

function replicaSpec(index: number, podName: string): PodSpec {
  const app = { matchLabels: { app: `app-${index}` } };
  const hasPriority = index % 5 === 3;
  const spreads = index % 5 === 1;
  return {
    containers: [appContainer(index), ...(index % 3 === 0 ? [sidecar()] : [])],
    volumes: [tokenVolume(podName), ...(index % 20 === 7 ? [claimVolume(podName)] : [])],
    tolerations: [...defaultTolerations(), ...(index % 6 === 4 ? [{ ...BATCH_TAINT, operator: 'Equal' }] : [])],
    ...(index % 10 === 6 && { nodeSelector: { 'example.com/pool': REAL_POOLS[index % REAL_POOLS.length] ?? '' } }),
    ...(hasPriority && { priorityClassName: 'business-critical', priority: 1000 * (1 + (index % 3)) }),
    ...(spreads && {
      topologySpreadConstraints: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
        ...{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: app },
      })),
    }),
    ...(index % 10 === 2 && {
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 100, podAffinityTerm: { labelSelector: app, topologyKey: 'kubernetes.io/hostname' } },
          ],
        },
      },
    }),
    ...commonSpec('default'),
  };
}

function appContainer(index: number): Container {
  const { name: image } = REAL_IMAGES[index] ?? REAL_IMAGES[0];
  const hostPort = index % 20 === 12 ? { hostPort: 20_000 + index } : {};
  const resources = {
    requests: { cpu: CPUS[index % CPUS.length] ?? '', memory: MEMORIES[(index * 3) % MEMORIES.length] ?? '' },
    limits: { memory: MEMORIES[(index * 3) % MEMORIES.length] ?? '' },
  };
  return {
    ...{ name: 'app', image, resources },
    ports: [{ containerPort: 8080, protocol: 'TCP', ...hostPort }],
    env: ['NAMESPACE', 'LOG_LEVEL', 'REGION'].map((name) => ({ name, value: name.toLowerCase() })),
    ...containerDetails('/healthz'),
  };
}

function sidecar(): Container {
  const resources = { requests: { cpu: '20m', memory: '40Mi' } };
  return { name: 'proxy', image: 'registry.example.com/mesh/proxy:v2.1', resources, ...containerDetails('/ready') };
}

/** One pod of a DaemonSet, which the DaemonSet's controller makes for one node. */
function daemonPod(number: number, set: number, nodeIndex: number): Pod {
  const owner = `daemon-${set}`;
  const name = `${owner}-${suffix(number, 5)}`;
  const labels = { name: owner, 'controller-revision-hash': suffix(set, 10), 'pod-template-generation': '1' };
  const field = { key: 'metadata.name', operator: 'In', values: [realNodeName(nodeIndex)] };
  const resources = { requests: { cpu: '10m', memory: '20Mi' } };
  const image = `registry.example.com/system/${owner}:v1`;
  return newPod(
    name,
    number,
    { namespace: 'kube-system', labels, owner: ['DaemonSet', owner] },
    {
      containers: [{ name: 'agent', image, resources, ...containerDetails('/health') }],
      volumes: [tokenVolume(name)],
      tolerations: [{ operator: 'Exists' }, ...defaultTolerations()],
      ...{ priorityClassName: 'system-node-critical', priority: 2_000_001_000 },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [field] }] },
        },
      },
      ...commonSpec(owner),
    },
  );
}

interface Identity {
  readonly namespace: string;
  readonly labels: Record<string, string>;
  /** Kind and name. */
  readonly owner: readonly [string, string];
}

function newPod(name: string, number: number, { namespace, labels, owner }: Identity, spec: PodSpec): Pod {
  const [kind, ownerName] = owner;
  const controller: OwnerReference = {
    ...{ apiVersion: 'apps/v1', kind, name: ownerName, uid: `${kind}-${ownerName}` },
    ...{ controller: true, blockOwnerDeletion: true },
  };
  const generateName = `${ownerName}-`;
  const metadata = { name, generateName, namespace, uid: `pod-${number}`, creationTimestamp: CREATED, labels };
  return defaultPod({
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { ...metadata, ownerReferences: [controller] },
    spec,
    status: { phase: 'Pending', qosClass: 'Burstable' },
  } as Pod);
}

/** Members that scheduling does not look at, but every pod has. */
function commonSpec(serviceAccountName: string): PodSpec {
  const details = { serviceAccountName, dnsPolicy: 'ClusterFirst', enableServiceLinks: true, securityContext: {} };
  return { ...details, restartPolicy: 'Always', schedulerName: 'default-scheduler', terminationGracePeriodSeconds: 30 };
}

function containerDetails(path: string): Container {
  const probe = { httpGet: { path, port: 8080, scheme: 'HTTP' }, periodSeconds: 10, failureThreshold: 3 };
  const volumeMounts = [{ name: 'kube-api-access', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }];
  const details = { livenessProbe: { ...probe }, readinessProbe: probe, volumeMounts };
  return { ...details, imagePullPolicy: 'IfNotPresent', terminationMessagePath: '/dev/termination-log' };
}

/** The volume of the service account's token, which has a name of its own in every pod. */
function tokenVolume(podName: string) {
  const sources = [{ serviceAccountToken: { expirationSeconds: 3607, path: 'token' } }];
  return { name: `kube-api-access-${podName.slice(-5)}`, projected: { defaultMode: 420, sources } };
}

function claimVolume(podName: string) {
  return { name: 'data', persistentVolumeClaim: { claimName: `data-${podName}` } };
}

/** The tolerations that the DefaultTolerationSeconds admission plugin adds. */
function defaultTolerations() {
  return ['not-ready', 'unreachable'].map((condition) => ({
    ...{ key: `node.kubernetes.io/${condition}`, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
  }));
}

/** The letters and digits of generated names, upstream's `rand.SafeEncodeString`. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
/** Coprime to every power of 27, so that different numbers give different suffixes. */
const STRIDE = 7_919_291;

/** A suffix as it looks in generated names; different for different numbers below 27^5. */
function suffix(number: number, length: number): string {
  const modulus = ALPHABET.length ** Math.min(length, 5);
  let rest = Number((BigInt(number) * BigInt(STRIDE) + 12_345n) % BigInt(modulus));
  let text = '';
  for (let i = 0; i < length; i++) {
    text += ALPHABET[rest % ALPHABET.length] ?? '';
    rest = i === 4 ? number : Math.floor(rest / ALPHABET.length);
  }
  return text;
}
