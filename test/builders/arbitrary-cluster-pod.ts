/** Pods as a cluster's API server returns them, changed in many ways: some of them scheduling can see. */
import fc from 'fast-check';
import type { Container, Pod, PodSpec } from '../../src/api/pod.ts';
import type { Volume } from '../../src/api/volumes.ts';
import { makeClusterPod } from './make-cluster-pod.ts';

export type PodChange = (pod: Pod) => Pod;

const spec =
  (members: object): PodChange =>
  (pod) => ({ ...pod, spec: { ...pod.spec, ...members } });

const main =
  (members: object): PodChange =>
  (pod) => {
    const containers = pod.spec?.containers?.map((each, i) => (i === 0 ? { ...each, ...members } : each));
    return spec({ containers })(pod);
  };

const metadata =
  (members: object): PodChange =>
  (pod) => ({ ...pod, metadata: { ...pod.metadata, ...members } });

const volume =
  (added: object): PodChange =>
  (pod) =>
    spec({ volumes: [...(pod.spec?.volumes ?? []), added] })(pod);

const init =
  (added: Container): PodChange =>
  (pod) =>
    spec({ initContainers: [added] })(pod);

const expression = { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] };
const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [expression] } };
const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'app-0' } } };
const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} };

/** What some plugin, an extender or the choice of a profile can see. */
export const SEEN: Readonly<Record<string, PodChange>> = {
  image: main({ image: 'other:v2' }),
  requests: main({ resources: { requests: { cpu: '2', memory: '128Mi' } } }),
  'no requests': main({ resources: {} }),
  'requests, as a number': main({ resources: { requests: { cpu: 2, memory: '128Mi' } } }),
  'an extended resource': main({
    resources: { limits: { 'example.com/gpu': 1 }, requests: { 'example.com/gpu': '1' } },
  }),
  'another limit': main({ resources: { limits: { memory: '1Gi' }, requests: { cpu: '2', memory: '128Mi' } } }),
  'limits only of a managed resource': main({ resources: { limits: { 'example.com/gpu': '1' } } }),
  'a host port': main({ ports: [{ containerPort: 8080, hostPort: 8080, protocol: 'TCP' }] }),
  'another host port': main({ ports: [{ containerPort: 8080, hostPort: 8081, protocol: 'TCP' }] }),
  'a host port of one address': main({ ports: [{ containerPort: 8080, hostPort: 8080, hostIP: '10.0.0.1' }] }),
  'restart rules': main({ restartPolicyRules: [{ action: 'RestartAllContainers' }] }),
  'a sidecar': init({ name: 'side', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } }),
  'an init container': init({ name: 'side', resources: { requests: { cpu: '1' } } }),
  'a second container': (pod) => spec({ containers: [...(pod.spec?.containers ?? []), { name: 'b' }] })(pod),
  overhead: spec({ overhead: { cpu: '250m' } }),
  'pod-level requests': spec({ resources: { requests: { cpu: '3' } } }),
  'no tolerations': spec({ tolerations: [] }),
  toleration: spec({ tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'a', effect: 'NoSchedule' }] }),
  'another toleration': spec({
    tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'b', effect: 'NoSchedule' }],
  }),
  'tolerated for a time': spec({ tolerations: [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 7 }] }),
  'node selector': spec({ nodeSelector: { disk: 'ssd' } }),
  'node affinity': spec({ affinity: { nodeAffinity: required } }),
  'pod affinity': spec({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }),
  'pod anti-affinity': spec({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
  }),
  spread: spec({ topologySpreadConstraints: [spread] }),
  'node name': spec({ nodeName: 'n1' }),
  profile: spec({ schedulerName: 'second' }),
  "nobody's profile": spec({ schedulerName: 'nobody' }),
  priority: spec({ priority: 10 }),
  'never preempts': spec({ preemptionPolicy: 'Never' }),
  gate: spec({ schedulingGates: [{ name: 'example.com/wait' }] }),
  claim: volume({ name: 'claim', persistentVolumeClaim: { claimName: 'c0' } }),
  ephemeral: volume({ name: 'ephemeral', ephemeral: { volumeClaimTemplate: { spec: {} } } }),
  disk: volume({ name: 'disk', gcePersistentDisk: { pdName: 'd0' } }),
  'volume of a driver': volume({ name: 'driver', csi: { driver: 'csi.example' } }),
  'image volume': volume({ name: 'model', image: { reference: 'model:v1' } }),
  'another image volume': volume({ name: 'other-model', image: { reference: 'model:v2' } }),
};

const renamed =
  (name: string): PodChange =>
  (pod) => {
    const last = (pod.spec?.volumes?.length ?? 0) - 1;
    const volumes = pod.spec?.volumes?.map((each, i): Volume => (i === last ? { ...each, name } : each));
    const mounts = { volumeMounts: [{ name, mountPath: '/var/run/secrets' }] };
    return main(mounts)(spec({ volumes })(pod));
  };

/** What nobody looks at, or only at each pod anew. */
export const UNSEEN: Readonly<Record<string, PodChange>> = {
  'volume name': renamed('kube-api-access-zzzzz'),
  'another volume name': renamed('kube-api-access-yyyyy'),
  'more volumes that are only mounted': volume({ name: 'cache', emptyDir: { sizeLimit: '1Gi' } }),
  'a secret': volume({ name: 'secret', secret: { secretName: 'app' } }),
  environment: main({ env: [{ name: 'ID', value: '7' }] }),
  command: main({ command: ['run'], args: ['--fast'] }),
  probe: main({ livenessProbe: { exec: { command: ['true'] } } }),
  'pull policy': main({ imagePullPolicy: 'Always' }),
  'host name': spec({ hostname: 'web-1' }),
  'dns policy': spec({ dnsPolicy: 'None' }),
  account: spec({ serviceAccountName: 'other', serviceAccount: 'other' }),
  'security context': spec({ securityContext: { runAsUser: 1000 } }),
  owner: metadata({
    ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'j', controller: true }],
  }),
  'no owner': metadata({ ownerReferences: undefined }),
  labels: metadata({ labels: { app: 'app-0', 'pod-template-hash': 'ffff' } }),
  annotations: metadata({ annotations: { note: 'x' } }),
};

/** Pods of one namespace with different names, each with objects of its own; most are like some other. */
export const arbitraryClusterPods: fc.Arbitrary<Pod[]> = fc
  .array(
    fc.record({
      deployment: fc.nat(2),
      seen: fc.uniqueArray(fc.constantFrom(...Object.keys(SEEN)), { maxLength: 2 }),
      unseen: fc.uniqueArray(fc.constantFrom(...Object.keys(UNSEEN)), { maxLength: 4 }),
    }),
    { minLength: 2, maxLength: 16 },
  )
  .map((choices) =>
    choices.map(({ deployment, seen, unseen }, i) => {
      const changes = [...seen.map((name) => SEEN[name]), ...unseen.map((name) => UNSEEN[name])];
      const pod = makeClusterPod(3 * i + deployment, { deployments: 3 });
      return structuredClone(changes.reduce((changed, change) => change?.(changed) ?? changed, pod));
    }),
  );

/** A spec without what scheduling never sees: an enumeration of its own, to hold signatures against. */
export function seenOf({ hostname: _, ...rest }: PodSpec & { readonly hostname?: string | undefined }): unknown {
  const { dnsPolicy, securityContext, volumes = [], ...seen } = rest as PodSpec & Record<string, unknown>;
  for (const key of ['serviceAccountName', 'serviceAccount', 'enableServiceLinks']) delete seen[key];
  const sources = volumes.flatMap<unknown>(({ name, image, ...source }) => {
    const kinds = Object.keys(source).filter(
      (kind) => !['configMap', 'projected', 'emptyDir', 'secret'].includes(kind),
    );
    return image === undefined ? kinds : [image];
  });
  return { ...seen, sources: sources.sort(), containers: seen.containers?.map(seenOfContainer) };
}

const UNSEEN_OF_CONTAINERS = ['env', 'command', 'args', 'volumeMounts', 'livenessProbe', 'readinessProbe'];

function seenOfContainer(container: Container): unknown {
  const seen: Record<string, unknown> = { ...container };
  for (const key of [...UNSEEN_OF_CONTAINERS, 'imagePullPolicy']) delete seen[key];
  return seen;
}
