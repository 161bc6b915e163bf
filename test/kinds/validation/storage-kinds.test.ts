import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kinds/object/json.ts';
import { kindProblems } from './kind-problems.ts';

const GROUP = 'storage.k8s.io/v1';

describe('the kinds of storage.k8s.io', () => {
  it('checks the topologies of a class', () => {
    const rule = (key: string, ...values: string[]): JsonObject => ({ key, values });
    const problems = (...terms: JsonObject[][]): string[] => {
      const allowedTopologies = terms.map((matchLabelExpressions) => ({ matchLabelExpressions }));
      return kindProblems(GROUP, 'StorageClass', { provisioner: 'a', allowedTopologies });
    };
    expect(problems([rule('a', 'x', 'x'), rule('a', 'y')], [rule('b', 'y')], [rule('b', 'y')])).toEqual([
      'allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "x"',
      'allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "a"',
      'allowedTopologies[2].matchLabelExpressions: Duplicate value: ""',
    ]);
    expect(problems([])).toEqual(['allowedTopologies[0].matchLabelExpressions: Duplicate value: ""']);
  });

  it('checks drivers of a node in the order of upstream', () => {
    const driver = { name: 'a', nodeID: 'x'.repeat(257), topologyKeys: ['k', 'k', ''] };
    const found = kindProblems(GROUP, 'CSINode', { spec: { drivers: [{ name: 'a', nodeID: 'x' }, driver] } });
    expect(found.slice(0, 4)).toEqual([
      `spec.drivers[1].nodeID: Invalid value: "${'x'.repeat(257)}": must be 256 characters or less`,
      'spec.drivers[1].name: Duplicate value: "a"',
      'spec.drivers[1]: Duplicate value: "k"',
      'spec.drivers[1]: Required value',
    ]);
  });

  it('checks drivers, of which only few fields stay as they are', () => {
    const tokenRequests = [{ audience: 'a' }, { audience: 'a', expirationSeconds: 1 }, { expirationSeconds: 2 ** 33 }];
    const spec = { fsGroupPolicy: 'X', tokenRequests, nodeAllocatableUpdatePeriodSeconds: 9 };
    expect(kindProblems(GROUP, 'CSIDriver', { spec })).toEqual([
      'spec.fsGroupPolicy: Unsupported value: "X": supported values: "File", "None", "ReadWriteOnceWithFSType"',
      'spec.tokenRequests[1].audience: Duplicate value: "a"',
      'spec.tokenRequests[2].expirationSeconds: Invalid value: 8589934592: ' +
        'may not specify a duration larger than 2^32 seconds',
      'spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds',
    ]);
    const changed = { spec: { attachRequired: false, fsGroupPolicy: 'None' } };
    expect(kindProblems(GROUP, 'CSIDriver', changed, { spec: {} })).toEqual([
      'spec.attachedRequired: Invalid value: false: field is immutable',
    ]);
  });

  it('checks classes of attributes', () => {
    expect(kindProblems(GROUP, 'VolumeAttributesClass', { driverName: '' })).toEqual([
      'driverName: Required value',
      'parameters: Required value: must contain at least one key/value pair',
    ]);
    const parameters = { a: 'b' };
    const old = { driverName: 'a.b', parameters };
    expect(kindProblems(GROUP, 'VolumeAttributesClass', { driverName: 'c.d', parameters }, old)).toEqual([
      'driverName: Forbidden: updates to driverName are forbidden.',
    ]);
  });
});

describe('priorityClassErrors', () => {
  it('says why a class is none of the system', () => {
    const problems = (name: string, value: number, globalDefault = false): string[] =>
      kindProblems('scheduling.k8s.io/v1', 'PriorityClass', { metadata: { name }, value, globalDefault });
    const at = "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only.";
    expect(problems('system-x', 1)).toEqual([`${at} error: system-x is not a known system priority class`]);
    expect(problems('system-node-critical', 1)).toEqual([
      `${at} error: value of system-node-critical PriorityClass must be 2000001000`,
    ]);
    expect(problems('system-node-critical', 2_000_001_000, true)).toEqual([
      `${at} error: globalDefault of system-node-critical PriorityClass must be false`,
    ]);
  });
});
