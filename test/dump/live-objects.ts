import { Prng } from '../../src/lib/prng.ts';

/** The sizes of a dump, and the seed of everything in it that varies. */
export interface DumpSize {
  readonly nodes: number;
  readonly pods: number;
  readonly seed: number;
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

const CREATED = '2026-03-02T09:14:05Z';
const STARTED = '2026-03-02T09:14:31Z';
const APPS = 200;
const ZONES = ['a', 'b', 'c'];

/**
 * The objects of a cluster as `kubectl get` prints them: with status, managedFields, conditions, images and everything
 * else that a live API server adds. Four fifths of the pods run, the others are pending, finished or being deleted.
 */
export function* liveObjects({ nodes, pods, seed }: DumpSize): Generator<JsonObject> {
  const prng = new Prng(seed);
  for (let i = 0; i < nodes; i++) yield node(i, prng);
  for (const name of ['default', 'kube-system', ...range(10).map((i) => `team-${i}`)]) yield namespace(name);
  yield priorityClass('high', 100_000);
  for (let i = 0; i < Math.min(nodes, 500); i++) yield csiNode(i);
  for (let app = 0; app < APPS; app++) yield* appObjects(app, Math.floor(pods / APPS));
  for (let i = 0; i < pods; i++) yield pod(i, nodes, prng);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

function uid(prefix: string, i: number): string {
  const digits = (prefix.length * 7_919 + i * 104_729).toString(16).padStart(8, '0');
  return `${digits.slice(0, 8)}-4c1e-4b7a-9d52-${(i * 31_337).toString(16).padStart(12, '0').slice(0, 12)}`;
}

function nodeName(i: number): string {
  return `ip-10-${i >> 16}-${(i >> 8) & 255}-${i & 255}.eu-central-1.compute.internal`;
}

function managedBy(manager: string, paths: readonly string[], subresource?: string): JsonObject {
  return {
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: Object.fromEntries(paths.map((path) => [path, { '.': {}, 'f:name': {}, 'f:value': {}, 'f:type': {} }])),
    manager,
    operation: 'Update',
    ...(subresource !== undefined && { subresource }),
    time: STARTED,
  };
}

function condition(type: string, status: string, reason: string, message: string): JsonObject {
  return { lastHeartbeatTime: STARTED, lastTransitionTime: CREATED, message, reason, status, type };
}

function node(i: number, prng: Prng): JsonObject {
  const name = nodeName(i);
  const zone = `eu-central-1${ZONES[i % ZONES.length]}`;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      annotations: {
        'csi.volume.kubernetes.io/nodeid': `{"ebs.csi.aws.com":"i-0${uid('n', i).slice(0, 8)}"}`,
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
      creationTimestamp: CREATED,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': 'm6i.8xlarge',
        'topology.kubernetes.io/region': 'eu-central-1',
        'topology.kubernetes.io/zone': zone,
      },
      managedFields: [managedBy('kubelet', ['f:metadata', 'f:status'], 'status')],
      name,
      resourceVersion: String(90_000_000 + i),
      uid: uid('node', i),
    },
    spec: {
      podCIDR: `10.${i & 255}.0.0/24`,
      podCIDRs: [`10.${i & 255}.0.0/24`],
      providerID: `aws:///${zone}/i-0${uid('n', i).slice(0, 8)}`,
      ...(i % 50 === 0 && { taints: [{ effect: 'NoSchedule', key: 'dedicated', value: 'gpu' }] }),
    },
    status: nodeStatus(i, name, prng),
  };
}

function nodeStatus(i: number, name: string, prng: Prng): JsonObject {
  const amounts = {
    cpu: '32',
    'ephemeral-storage': '203234260Ki',
    'hugepages-1Gi': '0',
    memory: '131072Ki',
    pods: '110',
  };
  const memory = `${128 * 1024 * 1024 - 900_000}Ki`;
  return {
    addresses: [
      { address: `10.0.${(i >> 8) & 255}.${i & 255}`, type: 'InternalIP' },
      { address: name, type: 'Hostname' },
    ],
    allocatable: { ...amounts, cpu: '31850m', memory },
    capacity: { ...amounts, memory: `${128 * 1024 * 1024}Ki` },
    conditions: [
      condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
      condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    images: range(50).map((k) => image((k * 7 + prng.below(40)) % 400)),
    nodeInfo: {
      architecture: 'amd64',
      bootID: uid('boot', i),
      containerRuntimeVersion: 'containerd://2.1.4',
      kernelVersion: '6.12.30-200.el9.x86_64',
      kubeProxyVersion: '',
      kubeletVersion: 'v1.36.2',
      machineID: uid('machine', i),
      operatingSystem: 'linux',
      osImage: 'Amazon Linux 2023',
      systemUUID: uid('system', i),
    },
  };
}

function image(i: number): JsonObject {
  const digest = (i * 2_654_435_761).toString(16).padStart(64, 'e');
  return {
    names: [`registry.example.com/team/app-${i}@sha256:${digest}`, `registry.example.com/team/app-${i}:v1.${i % 20}.0`],
    sizeBytes: 30_000_000 + i * 1_000_003,
  };
}

function namespace(name: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { creationTimestamp: CREATED, labels: { 'kubernetes.io/metadata.name': name }, name, uid: uid(name, 1) },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}

function priorityClass(name: string, value: number): JsonObject {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    description: 'Work that may evict others.',
    kind: 'PriorityClass',
    metadata: { creationTimestamp: CREATED, generation: 1, name, resourceVersion: '411', uid: uid(name, 2) },
    preemptionPolicy: 'PreemptLowerPriority',
    value,
  };
}

function csiNode(i: number): JsonObject {
  const drivers = [
    {
      allocatable: { count: 25 },
      name: 'ebs.csi.aws.com',
      nodeID: `i-0${i}`,
      topologyKeys: ['topology.kubernetes.io/zone'],
    },
  ];
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { creationTimestamp: CREATED, name: nodeName(i), uid: uid('csi', i) },
    spec: { drivers },
  };
}

/** A Service, and kinds that scheduling does not read. */
function* appObjects(app: number, replicas: number): Generator<JsonObject> {
  const { name, namespace: space } = appOf(app);
  const metadata = (kind: string) => ({ creationTimestamp: CREATED, name, namespace: space, uid: uid(kind, app) });
  yield {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata('svc'),
    spec: {
      clusterIP: '172.20.0.1',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }],
      selector: { app: name },
    },
    status: { loadBalancer: {} },
  };
  yield {
    apiVersion: 'v1',
    data: { 'app.conf': `replicas = ${replicas}\n` },
    kind: 'ConfigMap',
    metadata: metadata('cm'),
  };
  yield {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: metadata('ing'),
    spec: { rules: [{ host: `${name}.example.com` }] },
  };
}

function appOf(app: number) {
  return { name: `app-${app}`, namespace: `team-${app % 10}` };
}

function pod(i: number, nodes: number, prng: Prng): JsonObject {
  const app = i % APPS;
  const { name: appName, namespace: space } = appOf(app);
  const kind = i % 10;
  const phase = kind < 8 ? 'Running' : kind === 8 ? 'Pending' : i % 3 === 0 ? 'Succeeded' : 'Running';
  const name = `${appName}-7d9c5bd4f8-${(i * 7_919).toString(36).padStart(5, 'x').slice(-7)}${i.toString(36)}`;
  const bound = phase !== 'Pending';
  const isDeleting = kind === 9 && i % 3 === 1;
  const seconds = 30;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-03-01T10:00:00+01:00', 'prometheus.io/scrape': 'true' },
      creationTimestamp: CREATED,
      ...(isDeleting && { deletionGracePeriodSeconds: seconds, deletionTimestamp: '2026-11-20T08:00:00Z' }),
      generateName: `${appName}-7d9c5bd4f8-`,
      labels: { app: appName, 'pod-template-hash': '7d9c5bd4f8', tier: app % 2 === 0 ? 'web' : 'batch' },
      managedFields: [
        managedBy('kube-controller-manager', ['f:metadata', 'f:ownerReferences', 'f:containers', 'f:volumes']),
        managedBy('kubelet', ['f:conditions', 'f:containerStatuses', 'f:podIPs'], 'status'),
      ],
      name,
      namespace: space,
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          blockOwnerDeletion: true,
          controller: true,
          kind: 'ReplicaSet',
          name: `${appName}-7d9c5bd4f8`,
          uid: uid('rs', app),
        },
      ],
      resourceVersion: String(100_000_000 + i),
      uid: uid('pod', i),
    },
    spec: podSpec(app, bound ? nodeName(prng.below(nodes)) : null),
    status: bound ? runningStatus(i, phase, app) : pendingStatus(),
  };
}

function podSpec(app: number, nodeNameOfPod: string | null): JsonObject {
  const probe = { failureThreshold: 3, periodSeconds: 10, successThreshold: 1, timeoutSeconds: 1 };
  const token = { mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', name: 'kube-api-access', readOnly: true };
  const tolerate = (key: string) => ({ effect: 'NoExecute', key, operator: 'Exists', tolerationSeconds: 300 });
  return {
    containers: [
      {
        args: ['--config=/etc/app/app.conf', '--listen=:8080'],
        env: [
          { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
          { name: 'LOG_LEVEL', value: 'info' },
          { name: 'GREETING', value: 'It\'s: "quoted", 100% # not a comment\n' },
        ],
        image: `registry.example.com/team/app-${app}:v1.${app % 20}.0`,
        imagePullPolicy: 'IfNotPresent',
        livenessProbe: { httpGet: { path: '/healthz', port: 8080, scheme: 'HTTP' }, ...probe },
        name: 'app',
        ports: [{ containerPort: 8080, name: 'http', protocol: 'TCP' }],
        readinessProbe: { httpGet: { path: '/ready', port: 'http', scheme: 'HTTP' }, ...probe },
        resources: { limits: { memory: '512Mi' }, requests: { cpu: `${100 + (app % 5) * 50}m`, memory: '256Mi' } },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        volumeMounts: [{ mountPath: '/etc/app', name: 'config' }, token],
      },
    ],
    dnsPolicy: 'ClusterFirst',
    enableServiceLinks: true,
    ...(nodeNameOfPod !== null && { nodeName: nodeNameOfPod }),
    preemptionPolicy: 'PreemptLowerPriority',
    priority: 0,
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: { runAsNonRoot: true },
    serviceAccount: 'app',
    serviceAccountName: 'app',
    terminationGracePeriodSeconds: 30,
    tolerations: [tolerate('node.kubernetes.io/not-ready'), tolerate('node.kubernetes.io/unreachable')],
    ...(app % 4 === 0 && {
      topologySpreadConstraints: [
        {
          labelSelector: { matchLabels: { app: `app-${app}` } },
          maxSkew: 1,
          topologyKey: 'topology.kubernetes.io/zone',
          whenUnsatisfiable: 'ScheduleAnyway',
        },
      ],
    }),
    volumes: [
      { configMap: { defaultMode: 420, name: `app-${app}` }, name: 'config' },
      {
        name: 'kube-api-access',
        projected: {
          defaultMode: 420,
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
            { configMap: { items: [{ key: 'ca.crt', path: 'ca.crt' }], name: 'kube-root-ca.crt' } },
          ],
        },
      },
    ],
  };
}

function podCondition(type: string, status: string, more: JsonObject = {}): JsonObject {
  return { lastProbeTime: null, lastTransitionTime: STARTED, observedGeneration: 1, status, type, ...more };
}

function runningStatus(i: number, phase: string, app: number): JsonObject {
  const types = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
  const digest = (app * 2_654_435_761).toString(16).padStart(64, 'e');
  return {
    conditions: types.map((type) => podCondition(type, 'True')),
    containerStatuses: [
      {
        containerID: `containerd://${(i * 2_654_435_761).toString(16).padStart(64, '7')}`,
        image: `registry.example.com/team/app-${app}:v1.${app % 20}.0`,
        imageID: `registry.example.com/team/app-${app}@sha256:${digest}`,
        lastState: {},
        name: 'app',
        ready: true,
        restartCount: i % 3,
        started: true,
        state: { running: { startedAt: STARTED } },
      },
    ],
    hostIP: '10.0.0.1',
    hostIPs: [{ ip: '10.0.0.1' }],
    phase,
    podIP: `10.1.${(i >> 8) & 255}.${i & 255}`,
    podIPs: [{ ip: `10.1.${(i >> 8) & 255}.${i & 255}` }],
    qosClass: 'Burstable',
    startTime: CREATED,
  };
}

function pendingStatus(): JsonObject {
  const message =
    '0/5000 nodes are available: 100 node(s) had untolerated taint(s), 4900 Insufficient cpu. no new claims to ' +
    'deallocate, preemption: 0/5000 nodes are available: 100 Preemption is not helpful for scheduling, 4900 No ' +
    'preemption victims found for incoming pod.';
  return {
    conditions: [podCondition('PodScheduled', 'False', { message, reason: 'Unschedulable' })],
    phase: 'Pending',
    qosClass: 'Burstable',
  };
}
