import { EXTENSION_POINTS } from './extension-points.ts';
import { DEFAULT_FEATURE_GATES } from './feature-gates.ts';

const INTEGER = { type: 'integer' };
const BOOLEAN = { type: 'boolean' };
const TEXT = { type: 'string' };

function closed(properties: object, required: readonly string[] = []) {
  return { type: 'object', properties, required, additionalProperties: false };
}

const PLUGIN_SET = closed({
  enabled: { type: 'array', items: closed({ name: TEXT, weight: INTEGER }) },
  disabled: { type: 'array', items: closed({ name: TEXT, weight: INTEGER }) },
});

const PROFILE = closed({
  schedulerName: TEXT,
  percentageOfNodesToScore: { type: 'integer', minimum: 0, maximum: 100 },
  plugins: closed(Object.fromEntries([...EXTENSION_POINTS, 'multiPoint'].map((point) => [point, PLUGIN_SET]))),
  pluginConfig: { type: 'array', items: closed({ name: TEXT, args: { type: 'object' } }, ['name']) },
});

const TLS_TEXTS = ['serverName', 'certFile', 'keyFile', 'caFile', 'certData', 'keyData', 'caData'];

const EXTENDER = closed(
  {
    urlPrefix: TEXT,
    filterVerb: TEXT,
    preemptVerb: TEXT,
    prioritizeVerb: TEXT,
    bindVerb: TEXT,
    weight: INTEGER,
    enableHTTPS: BOOLEAN,
    tlsConfig: closed({ insecure: BOOLEAN, ...Object.fromEntries(TLS_TEXTS.map((name) => [name, TEXT])) }),
    httpTimeout: TEXT,
    nodeCacheCapable: BOOLEAN,
    managedResources: { type: 'array', items: closed({ name: TEXT, ignoredByScheduler: BOOLEAN }) },
    ignorable: BOOLEAN,
  },
  ['urlPrefix'],
);

/** The schema of a KubeSchedulerConfiguration. Arguments of plugins are checked when it is read. */
export const CONFIGURATION_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'KubeSchedulerConfiguration',
  description: 'How a scheduler decides (--config), as kube-scheduler v1.36 reads it.',
  ...closed(
    {
      apiVersion: { const: 'kubescheduler.config.k8s.io/v1' },
      kind: { const: 'KubeSchedulerConfiguration' },
      parallelism: { type: 'integer', minimum: 1 },
      leaderElection: { type: 'object' },
      clientConnection: { type: 'object' },
      enableProfiling: BOOLEAN,
      enableContentionProfiling: BOOLEAN,
      percentageOfNodesToScore: { type: 'integer', minimum: 0, maximum: 100 },
      podInitialBackoffSeconds: { type: 'integer', minimum: 1 },
      podMaxBackoffSeconds: { type: 'integer', minimum: 1 },
      featureGates: closed(Object.fromEntries(Object.keys(DEFAULT_FEATURE_GATES).map((name) => [name, BOOLEAN]))),
      profiles: { type: 'array', items: PROFILE },
      extenders: { type: 'array', items: EXTENDER },
      delayCacheUntilActive: BOOLEAN,
    },
    ['apiVersion', 'kind'],
  ),
} as const;
