import { encode } from '@msgpack/msgpack';

/** An event of a SimKube trace, `at` seconds after the first one. */
export const simkubeEvent = (at: number, applied: readonly object[], deleted: readonly object[] = []) => ({
  ...{ ts: 1_709_241_485 + at, applied_objs: applied, deleted_objs: deleted },
});

/** A trace as SimKube exports it, in version 3; `more` replaces members. */
export function makeSimkubeTrace(events: readonly object[], more: object = {}): Uint8Array {
  return encode({ version: 3, config: { trackedObjects: {} }, events, index: {}, ...more });
}

const template = (restartPolicy: string) => ({
  metadata: { creationTimestamp: null, labels: { app: 'a' } },
  spec: { restartPolicy, containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }] },
});

/** An object as the API of a cluster has it, with what it has set. */
const live = (apiVersion: string, kind: string, name: string) => ({
  ...{ apiVersion, kind },
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, resourceVersion: '7', creationTimestamp: null },
  status: {},
});

export const liveDeployment = (name: string, replicas: number) => ({
  ...live('apps/v1', 'Deployment', name),
  spec: { replicas, selector: { matchLabels: { app: 'a' } }, template: template('Always') },
});

export const liveJob = (name: string, spec: object = {}) => ({
  ...live('batch/v1', 'Job', name),
  spec: { completions: 1, ...spec, template: template('Never') },
});

export const livePod = (name: string, nodeName?: string, owner?: object) => ({
  ...live('v1', 'Pod', name),
  metadata: { ...live('v1', 'Pod', name).metadata, ...(owner && { ownerReferences: [owner] }) },
  spec: { ...template('Never').spec, ...(nodeName && { nodeName }) },
});
