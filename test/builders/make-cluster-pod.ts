import type { Pod } from '../../src/api/pod.ts';

export interface ClusterPodOptions {
  /** The token volume and an environment variable differ from those of all other pods. Default true. */
  readonly unique?: boolean;
  /** How many deployments the pods come from, in turn. Default 1. */
  readonly deployments?: number;
}

/**
 * The pod of a deployment as an API server returns it: defaults filled in, a generated name, an owner, a template hash,
 * probes, and the token volume of the service account, whose name the API server generates. Each call makes new
 * objects, as reading JSON does.
 */
export function makeClusterPod(index: number, { unique = true, deployments = 1 }: ClusterPodOptions = {}): Pod {
  const number = index % deployments;
  const [app, hash] = [`app-${number}`, `7c5ddbdf${number}`];
  const generateName = `${app}-${hash}-`;
  const controller = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${app}-${hash}`, uid: `owner-${number}` };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${generateName}${index}`,
      generateName,
      namespace: 'default',
      uid: `uid-${index}`,
      labels: { app, 'pod-template-hash': hash },
      ownerReferences: [{ ...controller, controller: true, blockOwnerDeletion: true }],
    },
    spec: specOf(number, unique ? `x${index}` : 'x'),
    status: { phase: 'Pending', qosClass: 'Burstable' },
  };
}

function specOf(number: number, suffix: string): NonNullable<Pod['spec']> {
  const tokenVolume = `kube-api-access-${suffix}`;
  const access = { mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', name: tokenVolume, readOnly: true };
  const probe = { httpGet: { path: '/healthz', port: 8080, scheme: 'HTTP' }, periodSeconds: 10, timeoutSeconds: 1 };
  const main = {
    name: 'main',
    image: `registry.example/team/app-${number}:v1.2.3`,
    imagePullPolicy: 'IfNotPresent',
    env: [
      { name: 'TOKEN', value: suffix },
      { name: 'LOG_LEVEL', value: 'info' },
    ],
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    resources: { limits: { memory: '128Mi' }, requests: { cpu: `${100 + (number % 8)}m`, memory: '128Mi' } },
    livenessProbe: probe,
    readinessProbe: probe,
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    volumeMounts: [{ mountPath: '/config', name: 'config' }, access],
  };
  const forSeconds = (key: string) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
  const token = {
    defaultMode: 420,
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    ],
  };
  const volumes = [
    { name: 'config', configMap: { name: `config-${number}`, defaultMode: 420 } },
    { name: tokenVolume, projected: token },
  ];
  const account = { serviceAccount: 'default', serviceAccountName: 'default', enableServiceLinks: true };
  return {
    ...account,
    containers: [main],
    dnsPolicy: 'ClusterFirst',
    preemptionPolicy: 'PreemptLowerPriority',
    priority: 0,
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    tolerations: [forSeconds('node.kubernetes.io/not-ready'), forSeconds('node.kubernetes.io/unreachable')],
    volumes,
  };
}
