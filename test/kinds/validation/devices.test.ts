import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kinds/object/json.ts';
import { kindProblems } from './kind-problems.ts';

const GROUP = 'resource.k8s.io/v1';
const exactly = { deviceClassName: 'x' };

describe('resourceClaimErrors', () => {
  const problems = (devices: JsonObject): string[] =>
    kindProblems(GROUP, 'ResourceClaim', { spec: { devices } }).map((text) => text.replace('spec.devices.', ''));

  it('tells repeated names after the requests, and too many by their number alone', () => {
    expect(problems({ requests: [{ name: 'a', exactly }, { name: 'a' }] })).toEqual([
      'requests[1]: Required value: exactly one of `exactly` or `firstAvailable` is required',
      'requests[1]: Duplicate value: "a"',
    ]);
    const many = Array.from({ length: 33 }, () => ({ name: 'A' }));
    expect(problems({ requests: many })).toEqual(['requests: Too many: 33: must have at most 32 items']);
  });

  it('checks alternatives and what refers to them', () => {
    const firstAvailable = [
      { name: 's', ...exactly },
      { name: 's', ...exactly },
    ];
    const requests = [{ name: 'a', firstAvailable }];
    const constraint = (...names: string[]): JsonObject => ({ requests: names, matchAttribute: 'a.b/c' });
    const why = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
    expect(problems({ requests, constraints: [constraint('a/s', 'a/t', 'a/s/t', 'a/s')] })).toEqual([
      'requests[0].firstAvailable[1]: Duplicate value: "s"',
      `constraints[0].requests[1]: Invalid value: "a/t": ${why}`,
      `constraints[0].requests[2]: Invalid value: "a/s/t": ${why}`,
      'constraints[0].requests[3]: Duplicate value: "a/s"',
    ]);
  });

  it('checks attributes of constraints, parameters and tolerations', () => {
    const tolerations = [
      { key: 'k', operator: 'Exists', value: 'v' },
      { operator: 'Some', effect: 'X' },
    ];
    const requests = [{ name: 'a', exactly: { ...exactly, tolerations } }];
    const constraints = [{}, { matchAttribute: 'c' }, { distinctAttribute: 'a.b/' }];
    const config = [{ opaque: { driver: '', parameters: 'x' } }];
    const at = 'requests[0].exactly.tolerations';
    expect(problems({ requests, constraints, config })).toEqual([
      `${at}[0].value: Invalid value: "v": must be empty for operator \`Exists\``,
      `${at}[1].operator: Unsupported value: "Some": supported values: "Equal", "Exists"`,
      `${at}[1].effect: Unsupported value: "X": supported values: "NoExecute", "NoSchedule", "None"`,
      'constraints[0]: Required value: ' +
        'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
      'constraints[1].matchAttribute: Invalid value: "c": ' +
        'a fully qualified name must be a domain and a name separated by a slash',
      'constraints[2].distinctAttribute: Invalid value: "": the name must not be empty',
      'config[0].opaque.driver: Required value',
      'config[0].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
    ]);
  });

  it('lets templates of claims have labels and annotations only', () => {
    const metadata = { name: 'a', annotations: { 'b c': 'd' } };
    const problems = kindProblems(GROUP, 'ResourceClaimTemplate', { spec: { metadata, spec: { devices: {} } } });
    expect(problems[0]).toMatch(/^spec\.metadata\.annotations: Invalid value: "b c": name part must consist/);
    expect(problems[1]).toBe('spec.metadata.name: Forbidden: cannot be set');
  });
});

describe('resource slices', () => {
  const POOL = { name: 'p', generation: 1, resourceSliceCount: 1 };
  const problems = (spec: JsonObject, old?: JsonObject): string[] => {
    const whole = (given: JsonObject): JsonObject => ({
      spec: { driver: 'd.x', nodeName: 'n', pool: POOL, devices: [], ...given },
    });
    return kindProblems(GROUP, 'ResourceSlice', whole(spec), old && whole(old));
  };
  const device = (given: JsonObject): string[] =>
    problems({ devices: [{ name: 'a', ...given }] }).map((text) => text.replace('spec.devices[0]', ''));

  it('limits devices, fewer where they have taints', () => {
    const many = (count: number, part: JsonObject): JsonObject[] =>
      Array.from({ length: count }, (_, i) => ({ name: `d${i}`, ...part }));
    const taints = [{ key: 'a', effect: 'None' }];
    expect(problems({ devices: many(65, {}) })).toEqual([]);
    expect(problems({ devices: many(65, { taints }) })).toEqual([
      'spec.devices: Too many: 65: must have at most 64 items',
    ]);
  });

  it('checks attributes, taints and binding conditions', () => {
    const attributes = { 'a/b': { version: '1.2' }, '1': { string: 'x'.repeat(65) } };
    const taints = [{ key: 'a b', effect: '' }];
    const found = device({ attributes, taints, bindingConditions: ['a', 'a'] });
    expect(found.map((text) => text.replace(/:.*/, ''))).toEqual([
      '.attributes',
      '.attributes[1].string',
      '.attributes[a/b].version',
      '.taints[0].key',
      '.taints[0].effect',
      '.bindingConditions[1]',
      '.bindingFailureConditions',
    ]);
    expect(found[1]).toBe('.attributes[1].string: Too long: may not be more than 64 bytes');
  });

  it('checks counters and where devices are', () => {
    expect(device({ consumesCounters: [{ counterSet: '', counters: {} }], allNodes: true })).toEqual([
      '.consumesCounters[0].counterSet: Required value',
      '.consumesCounters[0].counters: Required value',
      ': Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if ' +
        '`perDeviceNodeSelection` is set to true in the ResourceSlice spec',
    ]);
    expect(problems({ nodeName: undefined, allNodes: false } as never)).toEqual([
      'spec.allNodes: Invalid value: false: must be either unset or set to true',
      'spec: Required value: ' +
        'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required',
    ]);
  });

  it('keeps the name of the pool and the driver, in this order', () => {
    expect(problems({ driver: 'e.x', pool: { ...POOL, name: 'q' } }, {})).toEqual([
      'spec.pool.name: Invalid value: "q": field is immutable',
      'spec.driver: Invalid value: "e.x": field is immutable',
    ]);
  });

  it('checks what can be requested of a capacity', () => {
    const capacity = (requestPolicy: JsonObject, isShared = true): string[] =>
      device({ allowMultipleAllocations: isShared, capacity: { m: { value: '8Gi', requestPolicy } } }).map((text) =>
        text.replace('.capacity[m].requestPolicy', ''),
      );
    expect(capacity({ default: '1Gi' }, false)).toEqual([': Forbidden: allowMultipleAllocations must be true']);
    expect(capacity({ validValues: ['1Gi'] })).toEqual([
      '.default: Required value: required when validValues is defined',
    ]);
    expect(capacity({ default: '2Gi', validValues: ['1Gi', '16Gi', '4Gi'] })).toEqual([
      '.validValues[2]: Invalid value: "4Gi": values must be sorted in ascending order',
      '.validValues[1]: Invalid value: "16Gi": option is larger than capacity value: 8Gi',
      '.validValues: Invalid value: "2Gi": default value is not valid according to the requestPolicy',
    ]);
    expect(capacity({ default: '1Gi', validRange: {} })).toEqual([
      '.validRange.min: Required value: required when validRange is defined',
    ]);
    expect(capacity({ default: '1Gi', validRange: { min: '1Gi' } })).toEqual([]);
    expect(capacity({ default: '3Gi', validRange: { min: '1Gi', max: '2Gi', step: '8Gi' } })).toEqual([
      '.validRange.max: Invalid value: "3Gi": default is more than max: 2Gi',
      '.validRange.step: Invalid value: "8Gi": one step 9Gi is larger than capacity value: 8Gi',
      '.validRange.step: Invalid value: "3Gi": value is not a multiple of a given step (8Gi) from (1Gi)',
      '.validRange.step: Invalid value: "2Gi": value is not a multiple of a given step (8Gi) from (1Gi)',
    ]);
  });
});
