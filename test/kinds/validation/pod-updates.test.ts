import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../src/kinds/object/json.ts';
import { KindSchemas } from '../../../src/kinds/registry/schema-registry.ts';

const schema = new KindSchemas().builtIn('', 'v1', 'Pod')!;

function pod(spec: JsonObject, status: JsonObject = {}): ApiObject {
  const { object } = schema.decode({
    metadata: { name: 'p', namespace: 'n' },
    spec: { containers: [{ name: 'a', image: 'x' }], ...spec },
    status,
  });
  schema.setDefaults(object);
  return object;
}

function problems(next: ApiObject, old: ApiObject, subresource = ''): string[] {
  const found = schema.validateUpdate(next, old, { subresource, metadataErrors: [] });
  return found.map(({ field, message }) => `${field}: ${message}`);
}

const resources = (requests: JsonObject, limits: JsonObject = {}): JsonObject => ({
  containers: [{ name: 'a', image: 'x', resources: { requests, limits } }],
});

describe('an update of a pod', () => {
  it('may change images, and nothing else of containers', () => {
    const other = pod({ containers: [{ name: 'a', image: 'y' }] });
    expect(problems(other, pod({}))).toEqual([]);
    const [problem = ''] = problems(pod({ nodeName: 'n1' }), pod({}));
    expect(problem.split('\n').slice(1)).toEqual([
      '@@ -42,7 +42,7 @@',
      '  "NodeSelector": null,',
      '  "ServiceAccountName": "",',
      '  "AutomountServiceAccountToken": null,',
      '- "NodeName": "",',
      '+ "NodeName": "n1",',
      '  "SecurityContext": {',
      '   "HostNetwork": false,',
      '   "HostPID": false,',
      '',
    ]);
  });

  it('shows what the JSON has beside the security context inside of it', () => {
    const [problem] = problems(pod({ hostNetwork: true }), pod({}));
    expect(problem).toContain('-  "HostNetwork": false,\n+  "HostNetwork": true,\n');
  });

  it('of its status keeps the class of service', () => {
    const old = pod({}, { qosClass: 'Burstable' });
    expect(problems(pod({}, { qosClass: 'Guaranteed' }), old, 'status')).toEqual([
      'status.qosClass: Invalid value: "Guaranteed": field is immutable',
    ]);
  });

  it('of its status does not start again what has ended', () => {
    const ended = (state: JsonObject): JsonObject => ({ containerStatuses: [{ name: 'a', state }] });
    const old = pod({ restartPolicy: 'Never' }, ended({ terminated: { exitCode: 0 } }));
    const next = pod({ restartPolicy: 'Never' }, ended({ running: {} }));
    expect(problems(next, old, 'status')).toEqual([
      'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
    ]);
  });

  it('by a resize neither drops resources nor touches others than cpu and memory', () => {
    const old = pod(resources({ cpu: '1' }), { qosClass: 'Burstable' });
    expect(problems(pod(resources({ cpu: '2' })), old, 'resize')).toEqual([]);
    expect(problems(pod(resources({ memory: '1Gi' })), old, 'resize')).toEqual([
      'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
    ]);
    expect(problems(pod(resources({ cpu: '1', 'ephemeral-storage': '1Gi' })), old, 'resize')).toEqual([
      'spec: Forbidden: only cpu and memory resources are mutable',
    ]);
  });

  it('only adds containers for debugging', () => {
    const debug = (...names: string[]): ApiObject =>
      pod({ ephemeralContainers: names.map((name) => ({ name, image: 'x' })) });
    expect(problems(debug('d', 'e'), debug('d'), 'ephemeralcontainers')).toEqual([]);
    expect(problems(debug('e'), debug('d'), 'ephemeralcontainers')).toEqual([
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "d" may not be removed\n',
    ]);
    const withPorts = pod({ ephemeralContainers: [{ name: 'a', image: 'x', ports: [{ containerPort: 1 }] }] });
    expect(problems(withPorts, pod({}), 'ephemeralcontainers')).toEqual([
      'spec.ephemeralContainers[0].name: Duplicate value: "a"',
      'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
    ]);
  });
});

describe('a gated pod', () => {
  const spec = { containers: [{ name: 'a', image: 'x' }], schedulingGates: [{ name: 'g' }] };
  const changed = (now: JsonObject, before: JsonObject): string[] =>
    problems(pod({ ...spec, ...now }), pod({ ...spec, ...before }));
  const terms = (...keys: string[]) => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: keys.map((key) => ({ key, operator: 'Exists' })) }],
        },
      },
    },
  });

  it('may ask more of nodes, but not less', () => {
    expect(changed({ nodeSelector: { a: '1', b: '2' } }, { nodeSelector: { a: '1' } })).toEqual([]);
    expect(changed({ nodeSelector: { a: '2' } }, { nodeSelector: { a: '1' } })).toEqual([
      'spec.nodeSelector: Invalid value: {"a":"2"}: ' +
        'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ]);
    expect(changed(terms('a', 'b'), terms('a'))).toEqual([]);
    expect(changed(terms('a'), {})).toEqual([]);
    const [problem] = changed(terms('b', 'a'), terms('a'));
    expect(problem).toMatch(/nodeSelectorTerms\[0\]: Invalid value: .*: only additions are allowed/);
    const [gone] = changed({}, terms('a'));
    expect(gone).toMatch(/nodeSelectorTerms: Invalid value: null: no additions\/deletions to non-empty/);
  });

  it('may lose gates, but get none', () => {
    expect(changed({ schedulingGates: [] }, {})).toEqual([]);
    expect(changed({ schedulingGates: [{ name: 'g' }, { name: 'h' }] }, {})).toEqual([
      "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'h'",
    ]);
  });
});
