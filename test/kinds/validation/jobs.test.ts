import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kinds/object/json.ts';
import { indexesOf } from '../../../src/kinds/validation/job-indexes.ts';
import { kindProblems } from './kind-problems.ts';

const TEMPLATE = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'a', image: 'x' }], restartPolicy: 'Never' },
};

function job(spec: JsonObject): JsonObject {
  return { spec: { manualSelector: true, selector: { matchLabels: { a: 'b' } }, template: TEMPLATE, ...spec } };
}

function problems(spec: JsonObject, old?: JsonObject, status: JsonObject = {}): string[] {
  const before = old === undefined ? undefined : { ...job(old), status };
  return [...new Set(kindProblems('batch/v1', 'Job', job(spec), before))];
}

const INDEXED = { completionMode: 'Indexed', completions: 5, parallelism: 2 };

describe('jobErrors', () => {
  it('checks the spec before its selector, and the rules for made selectors before both', () => {
    expect(problems({ parallelism: -1, selector: { matchLabels: { c: 'd' } } })).toEqual([
      'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
      'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
    ]);
    const [first, ...rest] = problems({ manualSelector: false, parallelism: -1 });
    expect(first).toBe("spec.template.metadata.labels[controller-uid]: Required value: must be ''");
    expect(rest.at(-1)).toBe('spec.parallelism: Invalid value: -1: must be greater than or equal to 0');
  });

  it('limits indexed jobs', () => {
    expect(problems({ ...INDEXED, backoffLimitPerIndex: 1, maxFailedIndexes: 6 })).toEqual([
      'spec.maxFailedIndexes: Invalid value: 6: must be less than or equal to completions',
    ]);
    expect(problems({ ...INDEXED, parallelism: 100_001 })).toEqual([
      'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
    ]);
    expect(problems({ ...INDEXED, completions: 100_001, backoffLimitPerIndex: 1, parallelism: 10_001 })).toEqual([
      'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
      'spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 ' +
        'and used with backoff limit per index',
    ]);
    const named = { metadata: { name: 'a'.repeat(62) }, ...job(INDEXED) };
    expect(kindProblems('batch/v1', 'Job', named)).toEqual([
      `metadata.name: Invalid value: "${'a'.repeat(62)}": will not able to create pod with invalid DNS label: ` +
        `${'a'.repeat(62)}-4`,
    ]);
  });

  it('checks who manages a job', () => {
    expect(problems({ managedBy: '' })).toEqual(['spec.managedBy: Required value']);
    expect(problems({ managedBy: `a/${'b'.repeat(63)}` })).toEqual([
      'spec.managedBy: Too long: may not be more than 63 bytes',
    ]);
    expect(problems({ managedBy: 'a/b c' })).toEqual([
      'spec.managedBy: Invalid value: "b c": ' +
        "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
    ]);
  });
});

describe('failurePolicyErrors', () => {
  const rule = (given: JsonObject): string[] =>
    problems({ podFailurePolicy: { rules: [given] } }).map((text) =>
      text.replace('spec.podFailurePolicy.rules[0]', ''),
    );

  it('checks exit codes', () => {
    const codes = { operator: 'In', values: [3, 0, 3], containerName: 'b' };
    expect(rule({ action: 'FailIndex', onExitCodes: codes })).toEqual([
      '.action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
      '.onExitCodes.containerName: Invalid value: "b": ' +
        'must be one of the container or initContainer names in the pod template',
      '.onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator',
      '.onExitCodes.values[2]: Duplicate value: 3',
      '.onExitCodes.values: Invalid value: [3,0,3]: must be ordered',
    ]);
    expect(rule({ onExitCodes: { values: [] } })).toEqual([
      '.action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
      '.onExitCodes.operator: Required value: valid values: ["In" "NotIn"]',
      '.onExitCodes.values: Invalid value: []: at least one value is required',
    ]);
  });

  it('checks the conditions of pods', () => {
    expect(rule({ action: 'Count', onPodConditions: [{ type: 'A', status: 'Maybe' }] })).toEqual([
      '.onPodConditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
    ]);
    expect(rule({ action: 'Count' })).toEqual([
      ': Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
    ]);
  });
});

describe('successErrors', () => {
  const rules = (...given: JsonObject[]): string[] => problems({ ...INDEXED, successPolicy: { rules: given } });

  it('checks counts and lists of indexes', () => {
    expect(rules()).toEqual([
      'spec.successPolicy.rules: Required value: ' +
        'at least one rules must be specified when the successPolicy is specified',
    ]);
    expect(rules({}, { succeededIndexes: '1-9' }, { succeededCount: 6 })).toEqual([
      'spec.successPolicy.rules[0]: Required value: ' +
        'at least one of succeededCount or succeededIndexes must be specified',
      'spec.successPolicy.rules[1].succeededIndexes: Invalid value: "1-9": ' +
        'error parsing succeededIndexes: too large index: "9"',
      'spec.successPolicy.rules[2].succeededCount: Invalid value: 6: ' +
        'must be less than or equal to 5 (the number of specified completions)',
    ]);
    expect(rules({ succeededIndexes: '0,2-3', succeededCount: 4 })).toEqual([
      'spec.successPolicy.rules[0].succeededCount: Invalid value: 4: ' +
        'must be less than or equal to 3 (the number of indexes in the specified succeededIndexes field)',
    ]);
  });

  it('reads lists of indexes', () => {
    expect(indexesOf('0,2-4', 9)).toEqual({ total: 4 });
    expect(indexesOf('', 9)).toEqual({ total: 0 });
    expect(indexesOf('3,1', 9).problem).toBe('non-increasing order, previous: 3, current: 1');
    expect(indexesOf('3-3', 9).problem).toBe('non-increasing order, previous: 3, current: 3');
    expect(indexesOf('x', 9).problem).toBe('cannot convert string to integer for index: "x"');
    expect(indexesOf('1-2-3', 9).problem).toMatch(/^the fragment "1-2-3" violates the requirement/);
  });
});

describe('jobUpdateErrors', () => {
  it('lets the completions of indexed jobs change with their parallelism', () => {
    expect(problems({ ...INDEXED, completions: 4, parallelism: 4 }, INDEXED)).toEqual([]);
    expect(problems({ ...INDEXED, completions: 4, parallelism: 3 }, INDEXED)).toEqual([
      'spec.completions: Invalid value: 4: can only be modified in tandem with spec.parallelism',
    ]);
  });

  it('lets placement and resources of suspended jobs without running pods change', () => {
    const container = { name: 'a', image: 'x' };
    const changed = (spec: JsonObject): JsonObject => ({
      suspend: true,
      template: { ...TEMPLATE, spec: { ...TEMPLATE.spec, ...spec } },
    });
    const resources = { requests: { cpu: '1' } };
    const moved = changed({ nodeSelector: { a: 'b' }, containers: [{ ...container, resources }] });
    expect(problems(moved, { suspend: true })).toEqual([]);
    const startTime = '2024-01-01T00:00:00Z';
    const conditions = [{ type: 'Suspended', status: 'True' }];
    expect(problems(moved, { suspend: true }, { startTime, conditions })).toEqual([]);
    for (const status of [{ startTime }, { startTime, conditions, active: 1 }]) {
      const [started] = problems(moved, { suspend: true }, status);
      expect(started).toMatch(/^spec\.template: Invalid value: .*: field is immutable$/);
    }
    const [image] = problems(changed({ containers: [{ name: 'a', image: 'y' }] }), { suspend: true });
    expect(image).toMatch(/^spec\.template\.spec: Invalid value: .*: field is immutable$/);
  });
});

describe('cron jobs', () => {
  const cron = (spec: JsonObject, old?: JsonObject): string[] => {
    const jobTemplate = { spec: { template: { ...TEMPLATE, metadata: {} } } };
    const whole = (given: JsonObject): JsonObject => ({ spec: { schedule: '* * * * *', jobTemplate, ...given } });
    return kindProblems('batch/v1', 'CronJob', whole(spec), old && whole(old));
  };

  it('refuses zones in schedules, unless they were there', () => {
    const schedule = 'TZ=UTC * * * * *';
    expect(cron({ schedule, timeZone: 'UTC' })).toEqual([
      `spec.schedule: Invalid value: "${schedule}": cannot use TZ or CRON_TZ in schedule, use timeZone field instead`,
    ]);
    expect(cron({ schedule }, { schedule })).toEqual([]);
    expect(cron({ schedule, timeZone: 'UTC' }, { schedule })).toEqual([
      `spec.schedule: Invalid value: "${schedule}": cannot use both timeZone field and TZ or CRON_TZ in schedule`,
    ]);
  });

  it.each([
    ['Europe/Berlin', undefined],
    ['US/Pacific', undefined],
    ['europe/berlin', 'unknown time zone europe/berlin'],
    ['+01', 'unknown time zone +01'],
    ['../UTC', 'unknown time zone ../UTC'],
    ['Local', 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'],
  ])('checks the zone %s', (timeZone, why) => {
    const wanted = why === undefined ? [] : [`spec.timeZone: Invalid value: "${timeZone}": ${why}`];
    expect(cron({ timeZone })).toEqual(wanted);
  });

  it('makes the selectors of its jobs', () => {
    const jobTemplate = { spec: { template: TEMPLATE, selector: { matchLabels: { a: 'b' } }, manualSelector: true } };
    expect(cron({ jobTemplate })).toEqual([
      'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated',
      'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
    ]);
  });
});
